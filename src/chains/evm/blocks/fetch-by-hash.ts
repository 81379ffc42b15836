import type { Log } from "../../block.ts";
import { RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import { resultOf } from "../../rpc/session.ts";
import { readList, readObject } from "../values/raw.ts";
import { blockOf, type FetchContext, type FetchFailures } from "./fetch-context.ts";
import type { Header } from "./header.ts";
import { readLogs, readReceipts } from "./read-logs.ts";

/** Completes blocks with logs or receipts that are fetched by block hash, which excludes data of another branch. */
export async function fetchByHash(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<void> {
  const byLogs = headers.filter(
    (header) =>
      !context.receipts && context.verifier.canVerifyLogs(header) && !context.session.lacks(logsByHash),
  );
  const unsupported = await completeByLogs(context, byLogs, failures);
  const byReceipts = headers.filter((header) => !byLogs.includes(header) || unsupported.includes(header));
  await completeByReceipts(context, byReceipts, failures);
}

const logsByHash = "eth_getLogs by hash";
const blockReceipts = "eth_getBlockReceipts";
const oneReceipt = "eth_getTransactionReceipt";

/** Returns the headers whose request the endpoint does not support. */
async function completeByLogs(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<Header[]> {
  const { session, verifier } = context;
  const method = "eth_getLogs";
  const replies = await session.batch(headers.map(({ hash }) => ({ method, params: [{ blockHash: hash }] })));
  return headers.filter((header, at) => {
    const reply = replies[at];
    if (isUnsupported(reply)) {
      session.markUnsupported(logsByHash);
      return true;
    }
    failures.capture(() => {
      const logs = readList(resultOf(reply, method, { mustExist: true }), "list of logs");
      complete(context, header, blockOf(header, readLogs(logs, header, verifier)));
    });
    return false;
  });
}

async function completeByReceipts(
  context: FetchContext,
  headers: readonly Header[],
  failures: FetchFailures,
): Promise<void> {
  const { verifier, receipts } = context;
  const lists = await fetchReceipts(context, headers);
  for (const [at, header] of headers.entries()) {
    failures.capture(() => {
      const list = resultOf(lists[at], blockReceipts, { mustExist: true });
      const read = readReceipts(list, header);
      const logs = readLogs(read.logs, header, verifier);
      acceptReceipts(verifier, list, logs);
      const transactions = receipts ? read.transactions : header.transactions;
      complete(context, header, blockOf(header, logs, transactions));
    });
  }
}

function acceptReceipts(verifier: FetchContext["verifier"], receipts: unknown, logs: readonly Log[]): void {
  let next = 0;
  for (const [index, receipt] of readList(receipts, "list of receipts").entries()) {
    const start = next;
    while (logs[next]?.tx_index === index) next++;
    verifier.acceptReceipt(readObject(receipt, "receipt"), logs.slice(start, next));
  }
}

async function fetchReceipts({ session }: FetchContext, headers: readonly Header[]): Promise<RpcReply[]> {
  const withTransactions = headers.filter(({ transactions }) => transactions.length > 0);
  const calls = withTransactions.map(({ hash }) => ({ method: blockReceipts, params: [hash] }));
  const replies = await session.batch(calls);
  if (replies.some(isUnsupported)) session.markUnsupported(blockReceipts);
  const receipts = session.lacks(blockReceipts) ? await fetchOneByOne(session, withTransactions) : replies;
  const byHash = new Map(withTransactions.map(({ hash }, at) => [hash, receipts[at]]));
  return headers.map(({ hash }) => byHash.get(hash) ?? { result: [] });
}

/** Fetches receipts one by one, for nodes without `eth_getBlockReceipts`. */
async function fetchOneByOne(
  session: FetchContext["session"],
  headers: readonly Header[],
): Promise<RpcReply[]> {
  const calls: RpcCall[] = headers.flatMap(({ transactions }) =>
    transactions.map(({ hash }) => ({ method: oneReceipt, params: [hash] })),
  );
  const replies = await session.batch(calls);
  let next = 0;
  return headers.map(({ transactions }) => {
    const own = replies.slice(next, next + transactions.length);
    next += transactions.length;
    const failed = own.find((reply) => "failure" in reply);
    return failed ?? { result: own.map((reply) => ("result" in reply ? reply.result : null)) };
  });
}

function isUnsupported(reply: RpcReply | undefined): boolean {
  if (reply === undefined || !("failure" in reply)) return false;
  return reply.failure instanceof RpcError || reply.failure.kind === "unsupported";
}

function complete(context: FetchContext, header: Header, block: ReturnType<typeof blockOf>): void {
  context.verifier.accept(header, block, context.session.endpoint);
  context.onBlock(block);
}
