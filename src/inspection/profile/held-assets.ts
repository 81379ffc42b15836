import type { Hex, ReadResult } from "../../chains/block.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../../chains/chain-client.ts";
import { pad } from "../../chains/evm/values/hex.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { readCall } from "../../meters/state-results.ts";
import { integerIn, textIn } from "../classify/call-results.ts";
import type { Probe, ProbeResults } from "../classify/probes.ts";
import type { Asset, Profile } from "./profile.ts";
import { amountIn, fallsIn, largestRise, type Movement, timesOf } from "./recent-flows.ts";

const transfer = keccakOfText("Transfer(address,address,uint256)");
const balanceOf = "balanceOf(address) view returns (uint256)";
const decimalsOf = "decimals() view returns (uint256)";
const symbolOf = "symbol() view returns (string)";
/** Functions that name a token of the contract. */
const tokenProbes: readonly Probe[] = [
  ...(["token0", "token1", "coin0", "coin1", "coin2", "coin3", "coin4", "coin5", "coin6", "coin7"] as const),
  ...(["earlyCoin0", "earlyCoin1", "earlyCoin2", "earlyCoin3"] as const),
  ...(["asset", "baseToken", "underlying", "innerToken"] as const),
];

/** A vault that holds none of its asset yet will hold it. */
const ownAssets: readonly Probe[] = [
  "asset",
  "token0",
  "token1",
  "coin0",
  "coin1",
  "baseToken",
  "underlying",
];

const maxCandidates = 24;
const maxAssets = 12;
/** Transfers further back are not searched. */
const searchedBlocks = 50_000;
const searchMs = 3_000;
/** The span over which the templates compare balances. */
const outflowSeconds = 600;
const daySeconds = 86_400;

/** A collectible (ERC-721) has no decimals: each of its transfers is of one. */
type Candidate = { token: string; holder?: string; isCollectible?: boolean; isOwn?: boolean };

/** Finds the tokens that a contract or wallet holds: those that its functions name, and those of its recent transfers. */
export async function findHeldAssets(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, probes, market }: { address: string; probes: ProbeResults; market: Profile["market"] },
): Promise<Asset[]> {
  const named = tokenProbes.flatMap((probe) => probes.address(probe) ?? []);
  const transferred = await transfersOf(client, address, pinned.block.height);
  const tokens = [...new Set([...named, ...transferred.keys()])]
    .filter((token) => token.toLowerCase() !== address.toLowerCase())
    .map(
      (token): Candidate => ({
        token,
        isCollectible: isCollectible(transferred.get(token)),
        isOwn: ownAssets.some((probe) => probes.address(probe) === token),
      }),
    );
  const held = await readHoldings(
    pinned,
    address,
    [...reservesOf(market), ...tokens].slice(0, maxCandidates),
  );
  const timeOf = await timesOf(client, pinned, [...transferred.values()].flat());
  return held.slice(0, maxAssets).map(({ asset, balance }) => {
    const logs = asset.holder ? [] : (transferred.get(asset.token) ?? []);
    const movements = movementsIn(logs, { address, timeOf });
    const falls = fallsIn(movements, balance, outflowSeconds);
    if (!falls) return asset;
    const { height, time: to } = pinned.block;
    const first = Math.min(...logs.filter((log) => timeOf(log) >= falls.oldest).map((log) => log.height));
    const rise = { seconds: outflowSeconds, movements: movements.length };
    return {
      ...asset,
      outflow: falls.largest,
      outflow_of_day: fallsIn(movements, balance, daySeconds)?.largest ?? falls.largest,
      outflows: falls.count,
      inflow: largestRise(movements, balance, rise) ?? 0,
      drains: { count: falls.drains, from: falls.oldest, to, blocks: height - first },
    };
  });
}

/** The deposit tokens of a lending pool hold its assets. */
function reservesOf(market: Profile["market"]): Candidate[] {
  if (market?.kind !== "aave_v3") return [];
  return market.assets.flatMap((token, index) => {
    const holder = market.holders[index];
    return holder ? [{ token, holder }] : [];
  });
}

type Moved = { address: string; timeOf(log: FoundLog): number };

function movementsIn(logs: readonly FoundLog[], { address, timeOf }: Moved): Movement[] {
  const holderTopic = topicOf(address);
  return logs.map((log) => ({
    time: timeOf(log),
    amount:
      (log.topics[2] === holderTopic ? movedBy(log) : 0n) -
      (log.topics[1] === holderTopic ? movedBy(log) : 0n),
  }));
}

function movedBy(log: FoundLog): bigint {
  return isCollectible([log]) ? 1n : amountIn(log);
}

/** Four topics are a transfer of an ERC-721 token, which names no amount but the token. */
function isCollectible([log]: readonly FoundLog[] = []): boolean {
  return log?.topics.length === 4;
}

function topicOf(address: string): Hex {
  return pad(address as Hex, { size: 32 }).toLowerCase() as Hex;
}

/** The transfers from or to an address by token, the most frequent first; none if the endpoint provides no logs. */
async function transfersOf(
  client: ChainClient,
  address: string,
  height: number,
): Promise<Map<string, FoundLog[]>> {
  const topic = topicOf(address);
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 2 };
  const search = Promise.all([
    client.logs({ topics: [transfer, null, topic], ...range }),
    client.logs({ topics: [transfer, topic], ...range }),
  ]);
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const transfers = await withDeadline(searchMs, search, timeout);
    const byToken = Map.groupBy(
      transfers.flatMap(({ logs }) => logs).filter(({ topics }) => topics.length >= 3),
      (log) => log.address,
    );
    return new Map([...byToken].toSorted(([, a], [, b]) => b.length - a.length));
  } catch (error) {
    if (error instanceof ChainError) return new Map();
    throw error;
  }
}

type Holding = { asset: Asset; balance: bigint };

async function readHoldings(
  pinned: PinnedBlock,
  address: string,
  candidates: readonly Candidate[],
): Promise<Holding[]> {
  const results = await pinned.read(
    candidates.flatMap(({ token, holder }) => [
      readCall(token, balanceOf, [holder ?? address]),
      readCall(token, decimalsOf),
      readCall(token, symbolOf),
    ]),
  );
  return candidates.flatMap((candidate, index) => toHolding(candidate, results.slice(3 * index)) ?? []);
}

function toHolding(
  { token, holder, isCollectible: isOne, isOwn }: Candidate,
  [balanceResult, decimals, symbol]: (ReadResult | undefined)[],
): Holding | undefined {
  const [balance, places] = [
    integerIn(balanceResult, balanceOf) ?? 0n,
    integerIn(decimals, decimalsOf) ?? (isOne ? 0n : undefined),
  ];
  if ((balance === 0n && !isOwn) || places === undefined || places > 77n) return undefined;
  const asset = { token, decimals: Number(places), symbol: textIn(symbol, symbolOf) ?? null };
  return {
    asset: { ...asset, ...(holder && { holder }), ...(isOne && { is_collectible: true as const }) },
    balance,
  };
}
