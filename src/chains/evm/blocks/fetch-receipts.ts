import type { Block, Transaction } from "../../block.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import { resultOf } from "../../rpc/session.ts";
import type { FetchContext, FetchFailures } from "./fetch-context.ts";
import type { Header } from "./header.ts";
import { readOneReceipt } from "./read-logs.ts";

const method = "eth_getTransactionReceipt";

type Found = { header: Header; block: Block };

/** Adds the receipts of the transactions that matter to blocks whose logs are known. Leaves out blocks that lack one. */
export async function addReceipts(
  { session, receipts, watched }: FetchContext,
  blocks: readonly Found[],
  failures: FetchFailures,
): Promise<Found[]> {
  if (!receipts) return [...blocks];
  const needed = blocks.map(({ block }) => transactionsThatMatter(block, watched));
  const replies = await session.batch(needed.flat().map(({ hash }) => ({ method, params: [hash] })));
  let next = 0;
  return blocks.flatMap(({ header, block }, index) => {
    const transactionsNeeded = needed[index] ?? [];
    const ownReplies = replies.slice(next, next + transactionsNeeded.length);
    next += transactionsNeeded.length;
    const complete = failures.capture(() => {
      const receiptOf = new Map(
        transactionsNeeded.map((transaction, order) => {
          const reply = resultOf(ownReplies[order], method, { mustExist: true });
          return [transaction.hash, readOneReceipt(reply, header, transaction)];
        }),
      );
      const transactions = block.transactions.map((transaction) => ({
        ...transaction,
        receipt: receiptOf.get(transaction.hash) ?? null,
      }));
      return { header, block: { ...block, transactions } };
    });
    return complete ?? [];
  });
}

/** The transactions to or from a watched address, and those that made one emit an event. */
function transactionsThatMatter(
  { transactions, logs }: Block,
  watched: FetchContext["watched"],
): readonly Transaction[] {
  if (!watched) return transactions;
  const emitting = new Set(
    logs.filter(({ address }) => watched.has(address)).map(({ tx_index }) => tx_index),
  );
  return transactions.filter(
    ({ from, to, index }) => watched.has(from) || (to !== null && watched.has(to)) || emitting.has(index),
  );
}

/** Fetches all receipts of blocks one by one, from nodes that return neither logs nor receipts of whole blocks. */
export async function fetchOneByOne(
  session: FetchContext["session"],
  headers: readonly Header[],
): Promise<RpcReply[]> {
  const calls: RpcCall[] = headers.flatMap(({ transactions }) =>
    transactions.map(({ hash }) => ({ method, params: [hash] })),
  );
  const replies = await session.batch(calls);
  let next = 0;
  return headers.map(({ transactions }) => {
    const receipts = replies.slice(next, next + transactions.length);
    next += transactions.length;
    const failed = receipts.find((reply) => "failure" in reply);
    return failed ?? { result: receipts.map((reply) => ("result" in reply ? reply.result : null)) };
  });
}
