import type { ChainClient, FoundLog, PinnedBlock } from "../../chains/chain-client.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import type { Profile } from "./profile.ts";
import { amountIn, largestRise, secondsPerBlock } from "./recent-flows.ts";

const approval = keccakOfText("Approval(address,address,uint256)");
const approvalForAll = keccakOfText("ApprovalForAll(address,address,bool)");
const transfer = keccakOfText("Transfer(address,address,uint256)");
const searchedBlocks = 50_000;
const searchMs = 3_000;
/** An address that this many holders used is usual, unless the whole past was one attack. */
const minHolders = 4;
const maxUsual = 10;

/** Finds whom holders of a token usually approve and pay, so that rules about many victims leave them out; null if unknown. */
export async function findUsualCounterparties(
  client: ChainClient,
  pinned: PinnedBlock,
  token: string,
  supply: bigint | undefined,
): Promise<Profile["usual"]> {
  const { height } = pinned.block;
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 1 };
  const filter = { addresses: [token], topics: [[approval, approvalForAll, transfer]], ...range };
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const { logs } = await withDeadline(searchMs, client.logs(filter), timeout);
    const named = (topic: string) => usualIn(logs.filter(({ topics }) => topics[0] === topic));
    const spenders = [...new Set([...named(approval), ...named(approvalForAll)])];
    const minted = await mintedIn(client, pinned, logs, supply);
    return { spenders, recipients: named(transfer), ...(minted !== undefined && { minted }) };
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** Returns the largest share of the supply that was minted within an hour. */
async function mintedIn(
  client: ChainClient,
  pinned: PinnedBlock,
  logs: readonly FoundLog[],
  supply: bigint | undefined,
): Promise<number | undefined> {
  const transfers = logs.filter(({ topics }) => topics[0] === transfer && topics.length === 3);
  const oldest = Math.min(...transfers.map((log) => log.height));
  if (!supply || !Number.isFinite(oldest)) return undefined;
  const seconds = await secondsPerBlock(client, pinned, oldest);
  const isZero = (topic: string | undefined) => topic !== undefined && BigInt(topic) === 0n;
  const changes = transfers.flatMap((log) => {
    const [, from, to] = log.topics;
    if (isZero(from) === isZero(to)) return [];
    return [{ height: log.height, amount: isZero(from) ? amountIn(log) : -amountIn(log) }];
  });
  const span = { blocks: Math.ceil(3600 / seconds), movements: transfers.length };
  return largestRise(changes, supply, span);
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
