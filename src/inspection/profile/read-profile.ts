import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ChainError } from "../../chains/reader.ts";
import { poolImbalance } from "../../meters/state/pool-imbalance.ts";
import { readCall } from "../../meters/state-results.ts";
import { toUnits } from "../../meters/units.ts";
import { integerIn } from "../classify/call-results.ts";
import { declarationOf, type ProbeResults, priceProbes, rateProbes } from "../classify/probes.ts";
import { findSettings } from "../settings/find-settings.ts";
import { topicsInCode } from "./code-topics.ts";
import { learnFeedRhythm } from "./feed-rhythm.ts";
import { findHeldAssets } from "./held-assets.ts";
import { marketOf } from "./lending-market.ts";
import type { Profile } from "./profile.ts";
import { findUsualCounterparties } from "./usual-counterparties.ts";

const maxSelectors = 500;
const maxDecimals = 77n;

export type ProfileInput = {
  address: string;
  contract_type: string;
  selectors: readonly Hex[];
  /** The code of the contract, or of its implementations. */
  codes: readonly Hex[];
  probes: ProbeResults;
  /** Absent where only what changes is learned again: settings are those of the first inspection. */
  own?: { abi: AbiIndex; isProxy: boolean };
};

/** Measures what targets and thresholds are suggested from, depending on the type of the contract. */
export async function readProfile(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, contract_type, selectors, codes, probes, own }: ProfileInput,
): Promise<Profile> {
  const [balance] = await pinned.read([{ kind: "balance", address }]);
  if (!balance?.ok) throw new ChainError(`The balance of ${address} could not be read.`);
  const market =
    contract_type === "lending_pool" ? await marketOf(pinned, { address, probes, selectors }) : null;
  const topics = topicsInCode(codes);
  const learned = own ? await findSettings(client, pinned, { address, contract_type, topics, ...own }) : null;
  const assets = holdsNothing.has(contract_type)
    ? []
    : await findHeldAssets(client, pinned, { address, probes, market });
  const native = BigInt(balance.data === "0x" ? "0x0" : balance.data);
  return {
    selectors: selectors.slice(0, maxSelectors),
    topics,
    assets,
    holds_native: native > 0n,
    native_balance: toUnits(native, client.chain.native_currency.decimals),
    token: tokenOf(probes),
    vault: await vaultOf(pinned, probes),
    usual: usedByMany.has(contract_type)
      ? await findUsualCounterparties(client, pinned, address, probes.integer("totalSupply"))
      : null,
    settings: learned?.settings ?? null,
    liquidations: learned?.liquidations ?? [],
    rare: learned?.rare ?? null,
    rate: rateOf(probes),
    feed: contract_type === "oracle_feed" ? await learnFeedRhythm(pinned, address, probes) : null,
    price_source: contract_type === "price_source" ? priceSourceOf(probes) : null,
    pool: contract_type === "dex_pool" ? await poolOf(pinned, address, probes) : null,
    market,
    account: null,
  };
}

/** Types of contracts whose approvals and transfers are those of many holders. */
const usedByMany: ReadonlySet<string> = new Set(["erc20", "erc721", "erc1155", "bridge_oapp"]);

/** The value of a share of an ERC-4626 vault is read by another function. */
function rateOf(probes: ProbeResults): string | null {
  const rateProbe = rateProbes.find((probe) => (probes.integer(probe) ?? 0n) > 0n);
  return rateProbe ? declarationOf(rateProbe) : null;
}

/** Most oracles without a function of their decimals have 18; the rules compare only changes. */
function priceSourceOf(probes: ProbeResults): Profile["price_source"] {
  const priceProbe = priceProbes.find((probe) => probes.integer(probe) !== undefined);
  const decimals = probes.integer("decimals") ?? 18n;
  return priceProbe && decimals <= maxDecimals
    ? { function: declarationOf(priceProbe), decimals: Number(decimals) }
    : null;
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

async function poolOf(pinned: PinnedBlock, address: string, probes: ProbeResults): Promise<Profile["pool"]> {
  const pair = [probes.address("token0"), probes.address("token1")];
  // Amounts of assets with different prices cannot be compared.
  const coins = probes.has("gamma") ? [] : coinsOf(probes);
  const [kind, tokens] = probes.has("reserves")
    ? (["uniswap_v2", pair] as const)
    : probes.has("slot0")
      ? (["uniswap_v3", pair] as const)
      : (["curve", coins] as const);
  const decimals = await decimalsOf(
    pinned,
    tokens.flatMap((token) => token ?? []),
  );
  const readable = decimals.flatMap((places) => places ?? []);
  if (readable.length !== decimals.length || readable.length < 2) return null;
  if (kind !== "curve") return { kind, decimals: readable };
  const largest_share = await largestShareOf(pinned, address, readable);
  return { kind, decimals: readable, ...(largest_share !== undefined && { largest_share }) };
}

function coinsOf(probes: ProbeResults): string[] {
  const early = (["earlyCoin0", "earlyCoin1", "earlyCoin2", "earlyCoin3"] as const).flatMap(
    (probe) => probes.address(probe) ?? [],
  );
  const coins = (["coin0", "coin1", "coin2", "coin3", "coin4", "coin5", "coin6", "coin7"] as const).flatMap(
    (probe) => probes.address(probe) ?? [],
  );
  return coins.length > 0 ? coins : early;
}

/** The imbalance of a pool now, by which its usual one is known. */
async function largestShareOf(
  pinned: PinnedBlock,
  address: string,
  decimals: number[],
): Promise<number | undefined> {
  const config = poolImbalance.config.parse({ pool_kind: "curve", coins: decimals.length, decimals });
  const subject = { address } as Parameters<NonNullable<typeof poolImbalance.reads>>[1];
  const results = await pinned.read(poolImbalance.reads?.(config, subject) ?? []);
  const reading = poolImbalance.interpret?.(config, results, subject, { time: 0, previous: undefined });
  return reading && "value" in reading ? reading.value : undefined;
}

const decimalsFunction = "decimals() view returns (uint256)";

async function decimalsOf(pinned: PinnedBlock, tokens: readonly string[]): Promise<(number | undefined)[]> {
  const results = await pinned.read(tokens.map((token) => readCall(token, decimalsFunction)));
  return results.map((result) => {
    const decimals = integerIn(result, decimalsFunction);
    return decimals !== undefined && decimals <= maxDecimals ? Number(decimals) : undefined;
  });
}
