import type { PinnedBlock } from "../chains/chain-client.ts";
import type { RelatedAddress } from "./related-address.ts";

/** The wallet itself is a result on each chain on which it sent a transaction, has a balance or has code. */
export async function searchItself(pinned: PinnedBlock, wallet: string): Promise<RelatedAddress[]> {
  const [nonce, balance, code] = await pinned.read([
    { kind: "nonce", address: wallet },
    { kind: "balance", address: wallet },
    { kind: "code", address: wallet },
  ]);
  const sent = integerOf(nonce);
  const isInUse = sent > 0n || integerOf(balance) > 0n || hasCode(code);
  return isInUse ? [{ address: wallet, relation: "owned", tx_count: Number(sent), last_at: null }] : [];
}

function hasCode(code: Result | undefined): boolean {
  return code?.ok === true && code.data !== "0x";
}

type Result = Awaited<ReturnType<PinnedBlock["read"]>>[number];

function integerOf(result: Result | undefined): bigint {
  return result?.ok && result.data !== "0x" ? BigInt(result.data) : 0n;
}
