import { ChainError, type ChainReader, type IncludedTransaction } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import { readList, readNumber, readObject, readWord } from "../values/raw.ts";

/** From this number on, a whole block costs fewer calls than its transactions one by one. */
const transactionsOfWholeBlock = 2;

/** Makes a function that fetches the senders of transactions. */
export function makeFetchSenders(
  rpc: Rpc,
  prefer: () => number | undefined,
): NonNullable<ChainReader["senders"]> {
  return async (transactions) => {
    const found = new Map<string, string>();
    try {
      await rpc.use((session) => fetchSenders(session, transactions, found), { prefer: prefer() });
    } catch (error) {
      // An alert without its sender is better than none, and those that were found are of use.
      if (!(error instanceof ChainError)) throw error;
    }
    return found;
  };
}

async function fetchSenders(
  session: Session,
  transactions: readonly IncludedTransaction[],
  senders: Map<string, string>,
): Promise<void> {
  const missing = transactions.filter(({ hash }) => !senders.has(hash));
  const requests = [...Map.groupBy(missing, ({ height }) => height)].flatMap(([height, transactions]) =>
    transactions.length < transactionsOfWholeBlock
      ? transactions.map(oneTransaction)
      : [wholeBlock(height, transactions)],
  );
  const replies = await session.batch(requests.map(({ call }) => call));
  for (const [index, { call, read }] of requests.entries()) {
    for (const [hash, sender] of read(resultOf(replies[index], call.method, { mustExist: true })))
      senders.set(hash, sender);
  }
  if (transactions.some(({ hash }) => !senders.has(hash)))
    throw new EndpointFailure("missing", "lacks a transaction whose logs it returned");
}

type SenderRequest = {
  call: { method: string; params: unknown[] };
  read(value: unknown): [hash: string, sender: string][];
};

function oneTransaction({ hash, height }: IncludedTransaction): SenderRequest {
  return {
    call: { method: "eth_getTransactionByHash", params: [hash] },
    read: (value) => readSender(value, [hash], height),
  };
}

function wholeBlock(height: number, transactions: readonly IncludedTransaction[]): SenderRequest {
  const hashes = transactions.map(({ hash }) => hash);
  return {
    call: { method: "eth_getBlockByNumber", params: [`0x${height.toString(16)}`, true] },
    read: (value) =>
      readList(readObject(value, "shape").transactions, "list of transactions").flatMap((transaction) =>
        readSender(transaction, hashes, height),
      ),
  };
}

/** A transaction that is not included yet, or at another height, is of another branch. */
function readSender(value: unknown, hashes: readonly string[], height: number): [string, string][] {
  const raw = readObject(value, "transaction");
  const hash = readWord(raw.hash, "transaction hash");
  if (!hashes.includes(hash) || !raw.blockNumber) return [];
  if (readNumber(raw.blockNumber, "transaction") !== height) return [];
  return [[hash, checksumAddress(raw.from, "sender")]];
}
