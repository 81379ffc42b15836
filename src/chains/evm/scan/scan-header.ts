import { type BlockRef, ChainError } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import type { RecentBlocks } from "../heads/head-tracker.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import { type Raw, readBytes, readList, readObject, readWord } from "../values/raw.ts";

/** A block reference with the parts of the header that verify logs. */
export type ScanHeader = BlockRef & {
  logs_bloom: string;
  transactions: string[];
  /** The senders of the transactions, by hash, where the block was fetched as a whole. */
  senders: Map<string, string>;
};

type HeaderContext = { session: Session; verifier: BlockVerifier; recent: RecentBlocks };

/** Fetches the headers at these heights, except those that were fetched since the last head; `isWhole` adds transactions. */
export async function fetchScanHeaders(
  { session, verifier, recent }: HeaderContext,
  heights: readonly number[],
  isWhole: (height: number) => boolean = () => false,
): Promise<ScanHeader[]> {
  const method = "eth_getBlockByNumber";
  const missing = heights.filter((height) => !recent.has(height));
  const replies = await session.batch(
    missing.map((height) => ({ method, params: [`0x${height.toString(16)}`, isWhole(height)] })),
  );
  for (const [index, height] of missing.entries()) {
    const value = resultOf(replies[index], method, { mustExist: true });
    const ref = verifier.acceptRef(value, session.endpoint);
    if (ref.height !== height)
      throw new EndpointFailure("inconsistent", "returned another block than requested");
    recent.set(height, value);
  }
  return heights.map((height) => readScanHeader(verifier, session, recent.get(height)));
}

function readScanHeader(verifier: BlockVerifier, session: Session, value: unknown): ScanHeader {
  const ref = verifier.acceptRef(value, session.endpoint);
  const raw = value as Raw;
  const list = readList(raw.transactions ?? [], "list of transactions");
  return {
    ...ref,
    logs_bloom: readBytes(raw.logsBloom ?? "0x", "bloom"),
    transactions: list.map(hashOf),
    senders: new Map(list.flatMap(senderEntry)),
  };
}

function senderEntry(transaction: unknown): [string, string][] {
  if (typeof transaction === "string") return [];
  const { hash, from } = readObject(transaction, "transaction");
  return [[readWord(hash, "transaction hash"), checksumAddress(from, "sender")]];
}

/** A transaction is a hash, or an object where the block was fetched as a whole. */
function hashOf(transaction: unknown): string {
  const hash = typeof transaction === "string" ? transaction : (transaction as Raw | null)?.hash;
  return readWord(hash, "transaction hash");
}

/** Rejects a range whose end was replaced while its logs were read. */
export async function verifyEnd(
  { session, verifier }: HeaderContext,
  end: { height: number; hash: string },
  isFollowed: boolean,
): Promise<void> {
  const params = [`0x${end.height.toString(16)}`, false];
  const value = await session.request("eth_getBlockByNumber", params, { mustExist: true });
  if (verifier.acceptRef(value, session.endpoint).hash === end.hash) return;
  if (!isFollowed) throw new EndpointFailure("missing", "follows another branch");
  throw new ChainError(`Block ${end.height} was replaced by a reorg while logs were read.`, "replaced");
}
