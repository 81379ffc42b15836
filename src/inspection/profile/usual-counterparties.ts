import type { ChainClient, FoundLog, PinnedBlock } from "../../chains/chain-client.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import type { Profile } from "./profile.ts";
import { amountIn, largestRise, maxCountWithin, timesOf } from "./recent-flows.ts";

const approval = keccakOfText("Approval(address,address,uint256)");
const approvalForAll = keccakOfText("ApprovalForAll(address,address,bool)");
const transfer = keccakOfText("Transfer(address,address,uint256)");
const transferSingle = keccakOfText("TransferSingle(address,address,address,uint256,uint256)");
const searchedBlocks = 50_000;
const searchMs = 3_000;
/** An address that this many holders used is usual, unless the whole past was one attack. */
const minHolders = 4;
const maxUsual = 24;
/** The window of the rules about many victims. */
const peakSeconds = 600;
/** The window of the rule about the supply. */
const mintedSeconds = 3_600;

/** Finds whom holders of a token usually approve and pay, so that rules about many victims leave them out; null if unknown. */
export async function findUsualCounterparties(
  client: ChainClient,
  pinned: PinnedBlock,
  token: string,
  supply: bigint | undefined,
): Promise<Profile["usual"]> {
  const { height } = pinned.block;
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 1 };
  const filter = {
    addresses: [token],
    topics: [[approval, approvalForAll, transfer, transferSingle]],
    ...range,
  };
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const { logs } = await withDeadline(searchMs, client.logs(filter), timeout);
    const named = (...names: string[]) => logs.filter(({ topics }) => names.includes(topics[0] ?? ""));
    const spenders = [...new Set([...usualIn(named(approval)), ...usualIn(named(approvalForAll))])];
    // The first indexed argument of transfers of items is who asked for them.
    const ofItems = named(transferSingle).map((log) => ({ ...log, topics: log.topics.slice(1) }));
    const transfers = [...named(transfer), ...ofItems].filter((log) => !isCollectibleMint(log));
    const recipients = usualIn(transfers);
    const timeOf = await timesOf(client, pinned, logs);
    const peakOf = (logs: FoundLog[], usual: string[]) => peakOfOthers(logs, usual, timeOf);
    const minted = mintedIn(named(transfer), supply, timeOf);
    return {
      spenders,
      recipients,
      spender_peak: peakOf(named(approval, approvalForAll), spenders),
      recipient_peak: peakOf(transfers, recipients),
      ...(minted !== undefined && { minted }),
    };
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

/** The rule about transfers of collectibles leaves mints out. A transfer of tokens has three topics. */
function isCollectibleMint({ topics: [name, from, , fourth] }: FoundLog): boolean {
  const isOfCollectibles = name !== transfer || fourth !== undefined;
  return isOfCollectibles && from !== undefined && BigInt(from) === 0n;
}

type TimeOf = (log: FoundLog) => number;

/** Returns the largest share of the supply that was minted within an hour. */
function mintedIn(logs: readonly FoundLog[], supply: bigint | undefined, timeOf: TimeOf): number | undefined {
  const transfers = logs.filter(({ topics }) => topics.length === 3);
  if (!supply || transfers.length === 0) return undefined;
  const isZero = (topic: string | undefined) => topic !== undefined && BigInt(topic) === 0n;
  const changes = transfers.flatMap((log) => {
    const [, from, to] = log.topics;
    if (isZero(from) === isZero(to)) return [];
    return [{ time: timeOf(log), amount: isZero(from) ? amountIn(log) : -amountIn(log) }];
  });
  return largestRise(changes, supply, { seconds: mintedSeconds, movements: transfers.length });
}

/** Returns the largest number of logs within the window whose third topic is the same address. Ignores the usual addresses. */
function peakOfOthers(logs: readonly FoundLog[], usual: readonly string[], timeOf: TimeOf): number {
  const ignored = new Set(usual);
  const times = new Map<string, number[]>();
  for (const log of logs) {
    const counterparty = addressIn(log.topics[2]);
    if (counterparty === undefined || ignored.has(counterparty)) continue;
    const counterpartyTimes = times.get(counterparty);
    if (counterpartyTimes) counterpartyTimes.push(timeOf(log));
    else times.set(counterparty, [timeOf(log)]);
  }
  return Math.max(
    0,
    ...[...times.values()].map((counterpartyTimes) => maxCountWithin(counterpartyTimes, peakSeconds)),
  );
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
    .filter(([, holders]) => holders.size >= minHolders)
    .toSorted(([, a], [, b]) => b.size - a.size)
    .slice(0, maxUsual)
    .flatMap(([topic]) => addressIn(topic) ?? []);
}

function addressIn(topic: string | undefined): string | undefined {
  return topic === undefined ? undefined : parseAddress(`0x${topic.slice(-40)}`);
}
