import { keccak256, pad, toHex } from "viem";
import type { Hex, ReadResult } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { readCall } from "../../meters/state-results.ts";
import { integerIn, textIn } from "../classify/call-results.ts";
import type { Probe, ProbeResults } from "../classify/probes.ts";
import type { Asset } from "./profile.ts";

const transfer = keccak256(toHex("Transfer(address,address,uint256)"));
const balanceOf = "balanceOf(address) view returns (uint256)";
const decimalsOf = "decimals() view returns (uint256)";
const symbolOf = "symbol() view returns (string)";
/** Functions that name a token of the contract. */
const tokenProbes: readonly Probe[] = [
  ...(["token0", "token1", "coin0", "coin1", "coin2", "coin3"] as const),
  ...(["asset", "baseToken", "underlying", "innerToken"] as const),
];

const maxCandidates = 24;
const maxAssets = 8;
/** Transfers further back are not searched. */
const searchedBlocks = 50_000;
const searchMs = 3_000;

/** Finds the tokens that a contract or wallet holds: those that its functions name, and those of its recent transfers. */
export async function findHeldAssets(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
  probes: ProbeResults,
): Promise<Asset[]> {
  const named = tokenProbes.flatMap((probe) => probes.address(probe) ?? []);
  const transferred = await tokensTransferred(client, address, pinned.block.height);
  const candidates = [...new Set([...named, ...transferred])]
    .filter((token) => token.toLowerCase() !== address.toLowerCase())
    .slice(0, maxCandidates);
  return readHoldings(pinned, address, candidates);
}

/** The tokens that were transferred from or to an address, the most frequent first; none if the endpoint provides no logs. */
async function tokensTransferred(client: ChainClient, address: string, height: number): Promise<string[]> {
  const topic = pad(address as Hex, { size: 32 }).toLowerCase() as Hex;
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests: 2 };
  const search = Promise.all([
    client.logs({ topics: [transfer, null, topic], ...range }),
    client.logs({ topics: [transfer, topic], ...range }),
  ]);
  try {
    const found = await withDeadline(
      searchMs,
      search,
      () => new ChainError("The search for logs took too long."),
    );
    const counts = Map.groupBy(
      // Four topics are a transfer of an ERC-721 token, of which there is no amount.
      found.flatMap(({ logs }) => logs).filter(({ topics }) => topics.length === 3),
      (log) => log.address,
    );
    return [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([token]) => token);
  } catch (error) {
    if (error instanceof ChainError) return [];
    throw error;
  }
}

async function readHoldings(
  pinned: PinnedBlock,
  address: string,
  tokens: readonly string[],
): Promise<Asset[]> {
  const results = await pinned.read(
    tokens.flatMap((token) => [
      readCall(token, balanceOf, [address]),
      readCall(token, decimalsOf),
      readCall(token, symbolOf),
    ]),
  );
  return tokens.flatMap((token, index) => toAsset(token, results.slice(3 * index)) ?? []).slice(0, maxAssets);
}

function toAsset(token: string, [balance, decimals, symbol]: (ReadResult | undefined)[]): Asset | undefined {
  const places = integerIn(decimals, decimalsOf);
  if ((integerIn(balance, balanceOf) ?? 0n) === 0n || places === undefined || places > 77n) return undefined;
  return { token, decimals: Number(places), symbol: textIn(symbol, symbolOf) ?? null };
}
