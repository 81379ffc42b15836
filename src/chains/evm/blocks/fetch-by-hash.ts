import type { Log } from "../../block.ts";
import { RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import { resultOf } from "../../rpc/session.ts";
import { readList, readObject } from "../values/raw.ts";
import { blockOf, type FetchContext, type FetchFailures } from "./fetch-context.ts";
import type { Header } from "./header.ts";
import { readLogs, readReceipts } from "./read-logs.ts";

/** Completes blocks with what the endpoint tells of their hashes, so that nothing of another branch can slip in. */
export async function fetchByHash(
  context: FetchContext,
  headers: readonly Header[],
  faults: FetchFailures,
): Promise<void> {
  const byLogs = headers.filter(
    (header) => !context.receipts && context.check.tellsLogs(header) && !context.session.lacks(logsByHash),
  );
  const refused = await completeByLogs(context, byLogs, faults);
  const byReceipts = headers.filter((header) => !byLogs.includes(header) || refused.includes(header));
  await completeByReceipts(context, byReceipts, faults);
}

const logsByHash = "eth_getLogs by hash";
const blockReceipts = "eth_getBlockReceipts";
const oneReceipt = "eth_getTransactionReceipt";

/** Gives back the headers whose request the endpoint did not understand. */
async function completeByLogs(
  context: FetchContext,
  headers: readonly Header[],
  faults: FetchFailures,
): Promise<Header[]> {
  const { session, check } = context;
  const method = "eth_getLogs";
  const answers = await session.batch(headers.map(({ hash }) => ({ method, params: [{ blockHash: hash }] })));
  return headers.filter((header, at) => {
    const answer = answers[at];
    if (isNotUnderstood(answer)) {
      session.markUnsupported(logsByHash);
      return true;
    }
    faults.of(() => {
      const logs = readList(resultOf(answer, method, { mustExist: true }), "list of logs");
      complete(context, header, blockOf(header, readLogs(logs, header, check)));
    });
    return false;
  });
}

async function completeByReceipts(
  context: FetchContext,
  headers: readonly Header[],
  faults: FetchFailures,
): Promise<void> {
  const { check, receipts } = context;
  const lists = await fetchReceipts(context, headers);
  for (const [at, header] of headers.entries()) {
    faults.of(() => {
      const list = resultOf(lists[at], blockReceipts, { mustExist: true });
      const read = readReceipts(list, header);
      const logs = readLogs(read.logs, header, check);
      acceptReceipts(check, list, logs);
      const transactions = receipts ? read.transactions : header.transactions;
      complete(context, header, blockOf(header, logs, transactions));
    });
  }
}

function acceptReceipts(check: FetchContext["check"], receipts: unknown, logs: readonly Log[]): void {
  let next = 0;
  for (const [index, receipt] of readList(receipts, "list of receipts").entries()) {
    const start = next;
    while (logs[next]?.tx_index === index) next++;
    check.acceptReceipt(readObject(receipt, "receipt"), logs.slice(start, next));
  }
}

async function fetchReceipts({ session }: FetchContext, headers: readonly Header[]): Promise<RpcReply[]> {
  const asked = headers.filter(({ transactions }) => transactions.length > 0);
  const calls = asked.map(({ hash }) => ({ method: blockReceipts, params: [hash] }));
  const answers = await session.batch(calls);
  if (answers.some(isNotUnderstood)) session.markUnsupported(blockReceipts);
  const given = session.lacks(blockReceipts) ? await fetchOneByOne(session, asked) : answers;
  const byHash = new Map(asked.map(({ hash }, at) => [hash, given[at]]));
  return headers.map(({ hash }) => byHash.get(hash) ?? { result: [] });
}

/** Every receipt by itself, for nodes that do not give those of a block. */
async function fetchOneByOne(
  session: FetchContext["session"],
  headers: readonly Header[],
): Promise<RpcReply[]> {
  const calls: RpcCall[] = headers.flatMap(({ transactions }) =>
    transactions.map(({ hash }) => ({ method: oneReceipt, params: [hash] })),
  );
  const answers = await session.batch(calls);
  let next = 0;
  return headers.map(({ transactions }) => {
    const own = answers.slice(next, next + transactions.length);
    next += transactions.length;
    const failed = own.find((answer) => "failure" in answer);
    return failed ?? { result: own.map((answer) => ("result" in answer ? answer.result : null)) };
  });
}

function isNotUnderstood(answer: RpcReply | undefined): boolean {
  if (answer === undefined || !("failure" in answer)) return false;
  return answer.failure instanceof RpcError || answer.failure.kind === "unsupported";
}

function complete(context: FetchContext, header: Header, block: ReturnType<typeof blockOf>): void {
  context.check.accept(header, block, context.session.endpoint);
  context.keep(block);
}
