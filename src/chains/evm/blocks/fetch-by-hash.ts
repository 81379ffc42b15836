import type { Block, Log } from "../../block.ts";
import { EndpointFailure, type FailureKind, RpcError } from "../../rpc/failure.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import { resultOf } from "../../rpc/session.ts";
import { type Raw, readList } from "../values/raw.ts";
import { blockOf, type FetchContext, type FetchFailures, toleranceOf } from "./fetch-context.ts";
import { addReceipts, fetchOneByOne } from "./fetch-receipts.ts";
import type { Header } from "./header.ts";
import { unfilteredLogs } from "./logs-without-address.ts";
import { readLogs, readReceipts } from "./read-logs.ts";

/**
 * Completes blocks with logs or receipts that are fetched by block hash, which excludes data of another branch. What the
 * endpoint refuses is remembered, and the next best request is used instead.
 */
export async function fetchByHash(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<void> {
  const { session, verifier, receipts } = context;
  let open = headers;
  if (receipts) open = await completeByBlockReceipts(context, open, failures);
  const hasLogs = !session.lacks(logsByHash) && !session.lacks(unfilteredLogs);
  const byLogs = hasLogs ? open.filter((header) => verifier.canVerifyLogs(header)) : [];
  const refused = await completeByLogs(context, byLogs, failures);
  open = open.filter((header) => !byLogs.includes(header) || refused.includes(header));
  if (!receipts) open = await completeByBlockReceipts(context, open, failures);
  await completeByReceipts(context, open, await fetchOneByOne(session, open), failures);
}

const logsByHash = "eth_getLogs by hash";
const blockReceipts = "eth_getBlockReceipts";

/** Returns the headers whose request the endpoint refuses. */
async function completeByLogs(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<Header[]> {
  const { session } = context;
  const method = "eth_getLogs";
  const replies = await session.batch(headers.map(({ hash }) => ({ method, params: [{ blockHash: hash }] })));
  const refused = headers.filter((_, index) => isRefused(replies[index]));
  if (replies.some(isUnsupported)) session.markUnsupported(logsByHash);
  const foundBlocks = headers.flatMap((header, index) => {
    if (refused.includes(header)) return [];
    const read = failures.capture(() => {
      const logs = readList(resultOf(replies[index], method, { mustExist: true }), "list of logs");
      return { header, block: blockOf(header, readLogs(logs, header, toleranceOf(context))) };
    });
    return read ?? [];
  });
  for (const { header, block } of await addReceipts(context, foundBlocks, failures))
    failures.capture(() => complete(context, header, block));
  return refused;
}

/** Returns the headers whose request the endpoint refuses. */
async function completeByBlockReceipts(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<readonly Header[]> {
  const { session } = context;
  const [empty, nonEmpty] = [headers.filter(isEmpty), headers.filter((header) => !isEmpty(header))];
  await completeByReceipts(
    context,
    empty,
    empty.map(() => ({ result: [] })),
    failures,
  );
  if (session.lacks(blockReceipts)) return nonEmpty;
  const replies = await session.batch(
    nonEmpty.map(({ hash }) => ({ method: blockReceipts, params: [hash] })),
  );
  if (replies.some(isUnsupported)) session.markUnsupported(blockReceipts);
  const refused = nonEmpty.filter((_, index) => isRefused(replies[index]));
  const answered = nonEmpty.filter((header) => !refused.includes(header));
  const answers = replies.filter((reply) => !isRefused(reply));
  await completeByReceipts(context, answered, answers, failures);
  return refused;
}

/** A chain whose blocks omit system transactions may have logs in a block without any. */
function isEmpty({ transactions, logs_bloom }: Header): boolean {
  return transactions.length === 0 && /^0x0*$/.test(logs_bloom);
}

async function completeByReceipts(
  context: FetchContext,
  headers: readonly Header[],
  replies: readonly RpcReply[],
  failures: FetchFailures,
): Promise<void> {
  const tolerates = toleranceOf(context);
  for (const [index, header] of headers.entries()) {
    failures.capture(() => {
      const list = resultOf(replies[index], blockReceipts, { mustExist: true });
      const read = readReceipts(list, header, tolerates);
      const logs = readLogs(read.logs, header, tolerates);
      acceptReceipts(context, header, read.receipts, logs);
      const transactions = context.receipts ? read.transactions : header.transactions;
      complete(context, header, blockOf(header, logs, transactions));
    });
  }
}

function acceptReceipts(
  { session, verifier }: FetchContext,
  header: Header,
  receipts: readonly Raw[],
  logs: readonly Log[],
): void {
  const byTransaction = Map.groupBy(logs, ({ tx_hash }) => tx_hash);
  for (const receipt of receipts) {
    const logs = byTransaction.get(String(receipt.transactionHash).toLowerCase()) ?? [];
    verifier.acceptReceipt(header, receipt, logs, session.endpoint);
  }
}

/** True if the endpoint cannot answer the request, so that another request must be used. */
function isRefused(reply: RpcReply | undefined): boolean {
  if (reply === undefined || !("failure" in reply)) return false;
  const { failure } = reply;
  return failure instanceof RpcError || (failure instanceof EndpointFailure && refusals.has(failure.kind));
}

const refusals = new Set<FailureKind>(["unsupported", "error", "refused", "too_large"]);

/** True if the endpoint would refuse the request again. */
function isUnsupported(reply: RpcReply | undefined): boolean {
  if (reply === undefined || !("failure" in reply)) return false;
  return reply.failure instanceof RpcError || reply.failure.kind === "unsupported";
}

function complete(context: FetchContext, header: Header, block: Block): void {
  context.verifier.accept(header, block, context.session.endpoint);
  context.onBlock(block);
}
