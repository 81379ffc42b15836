import { keccak256, toHex } from "viem";
import type { ChainClient } from "../../chains/chain-client.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import type { Profile } from "./profile.ts";

const approval = keccak256(toHex("Approval(address,address,uint256)"));
const transfer = keccak256(toHex("Transfer(address,address,uint256)"));
const searchedBlocks = 50_000;
const searchMs = 3_000;
/** An address that this many holders used is usual, unless the whole past was one attack. */
const minHolders = 4;
const maxUsual = 10;

/** Finds whom holders of a token usually approve and pay, so that rules about many victims leave them out; null if unknown. */
export async function findUsualCounterparties(
  client: ChainClient,
  token: string,
  height: number,
): Promise<Profile["usual"]> {
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 1 };
  const filter = { addresses: [token], topics: [[approval, transfer]], ...range };
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const { logs } = await withDeadline(searchMs, client.logs(filter), timeout);
    const named = (topic: string) => usualIn(logs.filter(({ topics }) => topics[0] === topic));
    return { spenders: named(approval), recipients: named(transfer) };
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** Returns the addresses in the third topic that most addresses in the second one named. */
function usualIn(logs: readonly { topics: readonly string[] }[]): string[] {
  const holders = new Map<string, Set<string>>();
  for (const { topics } of logs) {
    const [, holder, counterparty] = topics;
    if (!holder || !counterparty) continue;
    holders.set(counterparty, (holders.get(counterparty) ?? new Set()).add(holder));
  }
  return [...holders]
    .filter(([, own]) => own.size >= minHolders)
    .toSorted(([, a], [, b]) => b.size - a.size)
    .slice(0, maxUsual)
    .flatMap(([topic]) => parseAddress(`0x${topic.slice(-40)}`) ?? []);
}
