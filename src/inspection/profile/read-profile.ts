import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { readCall } from "../../meters/state-results.ts";
import { toUnits } from "../../meters/units.ts";
import { addressesIn, addressIn, integerIn } from "../classify/call-results.ts";
import type { ProbeResults } from "../classify/probes.ts";
import { topicsInCode } from "./code-topics.ts";
import { learnFeedRhythm } from "./feed-rhythm.ts";
import { findHeldAssets } from "./held-assets.ts";
import type { Profile } from "./profile.ts";
import { findUsualCounterparties } from "./usual-counterparties.ts";

const maxSelectors = 500;
const maxDecimals = 77n;
const maxMarketAssets = 16;

export type ProfileInput = {
  address: string;
  contract_type: string;
  selectors: readonly Hex[];
  /** The code of the contract, or of its implementations. */
  codes: readonly Hex[];
  probes: ProbeResults;
};

/** Learns what targets and thresholds of a contract follow, depending on its type. */
export async function readProfile(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, contract_type, selectors, codes, probes }: ProfileInput,
): Promise<Profile> {
  const [balance] = await pinned.read([{ kind: "balance", address }]);
  const assets = holdsNothing.has(contract_type) ? [] : await findHeldAssets(client, pinned, address, probes);
  return {
    selectors: selectors.slice(0, maxSelectors),
    topics: topicsInCode(codes),
    assets,
    holds_native: balance?.ok === true && BigInt(balance.data === "0x" ? "0x0" : balance.data) > 0n,
    token: tokenOf(probes),
    vault: await vaultOf(pinned, probes),
    usual:
      contract_type === "erc20" ? await findUsualCounterparties(client, address, pinned.block.height) : null,
    feed: contract_type === "oracle_feed" ? await learnFeedRhythm(pinned, address) : null,
    pool: contract_type === "dex_pool" ? await poolOf(pinned, probes) : null,
    market: contract_type === "lending_pool" ? await marketOf(pinned, address, probes) : null,
  };
}

/** Types of contracts that hold no tokens of others. */
const holdsNothing: ReadonlySet<string> = new Set(["oracle_feed", "governor", "erc721", "erc1155"]);

function tokenOf(probes: ProbeResults): Profile["token"] {
  const [decimals, supply] = [probes.integer("decimals"), probes.integer("totalSupply")];
  if (decimals === undefined || decimals > maxDecimals || supply === undefined) return null;
  return { decimals: Number(decimals), supply: toUnits(supply, Number(decimals)) };
}

async function vaultOf(pinned: PinnedBlock, probes: ProbeResults): Promise<Profile["vault"]> {
  const [asset, shares] = [probes.address("asset"), probes.integer("decimals")];
  if (!asset || !probes.has("totalAssets") || shares === undefined || shares > maxDecimals) return null;
  const [decimals] = await decimalsOf(pinned, [asset]);
  return decimals === undefined ? null : { share_decimals: Number(shares), asset_decimals: decimals };
}

async function poolOf(pinned: PinnedBlock, probes: ProbeResults): Promise<Profile["pool"]> {
  const pair = [probes.address("token0"), probes.address("token1")];
  const coins = (["coin0", "coin1", "coin2", "coin3"] as const).map((probe) => probes.address(probe));
  const [kind, tokens] = probes.has("reserves")
    ? (["uniswap_v2", pair] as const)
    : probes.has("slot0")
      ? (["uniswap_v3", pair] as const)
      : (["curve", coins.filter((coin) => coin !== undefined)] as const);
  const decimals = await decimalsOf(
    pinned,
    tokens.flatMap((token) => token ?? []),
  );
  const known = decimals.flatMap((one) => one ?? []);
  return known.length === decimals.length && known.length >= 2 ? { kind, decimals: known } : null;
}

async function marketOf(
  pinned: PinnedBlock,
  address: string,
  probes: ProbeResults,
): Promise<Profile["market"]> {
  if (probes.has("utilization")) return { kind: "compound_v3" };
  if (probes.has("comptroller")) return { kind: "compound_v2" };
  const provider = probes.address("addressesProvider");
  if (!provider) return null;
  const [dataProvider, reserves] = await pinned.read([
    readCall(provider, poolDataProvider),
    readCall(address, reservesList),
  ]);
  const data_provider = addressIn(dataProvider, poolDataProvider);
  const assets = addressesIn(reserves, reservesList).slice(0, maxMarketAssets);
  return data_provider && assets.length > 0 ? { kind: "aave_v3", data_provider, assets } : null;
}

const poolDataProvider = "getPoolDataProvider() view returns (address)";
const reservesList = "getReservesList() view returns (address[])";
const decimalsFunction = "decimals() view returns (uint256)";

async function decimalsOf(pinned: PinnedBlock, tokens: readonly string[]): Promise<(number | undefined)[]> {
  const results = await pinned.read(tokens.map((token) => readCall(token, decimalsFunction)));
  return results.map((result) => {
    const decimals = integerIn(result, decimalsFunction);
    return decimals !== undefined && decimals <= maxDecimals ? Number(decimals) : undefined;
  });
}
