import type { Hex, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressesIn, addressIn, integerIn, returnedValue, textIn } from "./call-results.ts";

/** View functions that are called to classify a contract. Most contracts have few of them. */
const probeFunctions = {
  name: "name() view returns (string)",
  symbol: "symbol() view returns (string)",
  decimals: "decimals() view returns (uint256)",
  totalSupply: "totalSupply() view returns (uint256)",
  owner: "owner() view returns (address)",
  pendingOwner: "pendingOwner() view returns (address)",
  paused: "paused() view returns (bool)",
  latestAnswer:
    "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
  plainAnswer: "latestAnswer() view returns (int256)",
  lpPrice: "lp_price() view returns (uint256)",
  getLatestPrice: "getLatestPrice() view returns (uint256)",
  description: "description() view returns (string)",
  aggregator: "aggregator() view returns (address)",
  minDelay: "getMinDelay() view returns (uint256)",
  delay: "delay() view returns (uint256)",
  gracePeriod: "GRACE_PERIOD() view returns (uint256)",
  votingDelay: "votingDelay() view returns (uint256)",
  votingPeriod: "votingPeriod() view returns (uint256)",
  timelock: "timelock() view returns (address)",
  threshold: "getThreshold() view returns (uint256)",
  required: "required() view returns (uint256)",
  owners: "getOwners() view returns (address[])",
  endpoint: "endpoint() view returns (address)",
  oAppVersion: "oAppVersion() view returns (uint64 senderVersion, uint64 receiverVersion)",
  innerToken: "token() view returns (address)",
  token0: "token0() view returns (address)",
  token1: "token1() view returns (address)",
  reserves: "getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)",
  slot0: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)",
  coin0: "coins(uint256) view returns (address)",
  coin1: "coins(uint256) view returns (address)",
  coin2: "coins(uint256) view returns (address)",
  coin3: "coins(uint256) view returns (address)",
  coin4: "coins(uint256) view returns (address)",
  coin5: "coins(uint256) view returns (address)",
  coin6: "coins(uint256) view returns (address)",
  coin7: "coins(uint256) view returns (address)",
  earlyCoin0: "coins(int128) view returns (address)",
  earlyCoin1: "coins(int128) view returns (address)",
  earlyCoin2: "coins(int128) view returns (address)",
  earlyCoin3: "coins(int128) view returns (address)",
  gamma: "gamma() view returns (uint256)",
  asset: "asset() view returns (address)",
  totalAssets: "totalAssets() view returns (uint256)",
  addressesProvider: "ADDRESSES_PROVIDER() view returns (address)",
  baseToken: "baseToken() view returns (address)",
  utilization: "getUtilization() view returns (uint256)",
  comptroller: "comptroller() view returns (address)",
  underlying: "underlying() view returns (address)",
  totalBorrows: "totalBorrows() view returns (uint256)",
  getAllMarkets: "getAllMarkets() view returns (address[])",
  closeFactor: "closeFactorMantissa() view returns (uint256)",
  supplyPaused: "isSupplyPaused() view returns (bool)",
  pricePerShare: "pricePerShare() view returns (uint256)",
  pricePerFullShare: "getPricePerFullShare() view returns (uint256)",
  exchangeRateStored: "exchangeRateStored() view returns (uint256)",
  exchangeRate: "exchangeRate() view returns (uint256)",
  getExchangeRate: "getExchangeRate() view returns (uint256)",
  getRate: "getRate() view returns (uint256)",
  virtualPrice: "get_virtual_price() view returns (uint256)",
  sharePrice: "sharePrice() view returns (uint256)",
  getSharePrice: "getSharePrice() view returns (uint256)",
  getPricePerShare: "getPricePerShare() view returns (uint256)",
  minSetback: "minSetback() view returns (uint32)",
  expiration: "expiration() view returns (uint32)",
  oracle: "oracle() view returns (address)",
  isErc165: "supportsInterface(bytes4) view returns (bool)",
  isNothing: "supportsInterface(bytes4) view returns (bool)",
  isErc721: "supportsInterface(bytes4) view returns (bool)",
  isErc1155: "supportsInterface(bytes4) view returns (bool)",
  isAccessControl: "supportsInterface(bytes4) view returns (bool)",
  isRoleEnumerable: "supportsInterface(bytes4) view returns (bool)",
} as const;

export type Probe = keyof typeof probeFunctions;

const interfaceIds: Partial<Record<Probe, Hex>> = {
  isErc165: "0x01ffc9a7",
  // ERC-165 requires false for this id; a contract that returns true supports no interface reliably.
  isNothing: "0xffffffff",
  isErc721: "0x80ac58cd",
  isErc1155: "0xd9b67a26",
  isAccessControl: "0x7965db0b",
  isRoleEnumerable: "0x5a05180f",
};

/** Accessors of the probe results. A missing function is a valid result. */
export type ProbeResults = {
  has(probe: Probe): boolean;
  address(probe: Probe): string | undefined;
  addresses(probe: Probe): string[];
  integer(probe: Probe): bigint | undefined;
  text(probe: Probe): string | undefined;
  supports(probe: Probe): boolean;
};

/** Functions that return the value of a share, or of a token that grows in value. */
export const rateProbes = [
  ...(["pricePerShare", "pricePerFullShare", "exchangeRateStored", "exchangeRate"] as const),
  ...(["getExchangeRate", "getRate", "virtualPrice"] as const),
  ...(["sharePrice", "getSharePrice", "getPricePerShare"] as const),
] satisfies readonly Probe[];

/** Functions of oracles without rounds that return their price. Markets have others, such as price(), which move all the time. */
export const priceProbes = [
  ...(["plainAnswer", "lpPrice", "getLatestPrice"] as const),
] satisfies readonly Probe[];

/** The declaration of a probe function. */
export function declarationOf(probe: Probe): string {
  return probeFunctions[probe];
}

/** Calls all probe functions of a contract in one batch. */
export async function probeContract(pinned: PinnedBlock, address: string): Promise<ProbeResults> {
  const names = Object.keys(probeFunctions) as Probe[];
  const results = await pinned.read(
    names.map((name) => readCall(address, probeFunctions[name], argumentsOf(name))),
  );
  return toProbeResults(new Map(names.map((name, index) => [name, results[index]])));
}

function argumentsOf(name: Probe): unknown[] {
  const id = interfaceIds[name];
  if (id) return [id];
  return /^(coin|earlyCoin)\d$/.test(name) ? [BigInt(name.slice(-1))] : [];
}

function toProbeResults(results: ReadonlyMap<Probe, ReadResult | undefined>): ProbeResults {
  const has = (name: Probe) => returnedValue(results.get(name), probeFunctions[name]) !== undefined;
  const isTrue = (name: Probe) => returnedValue(results.get(name), probeFunctions[name]) === true;
  return {
    has,
    address: (name) => addressIn(results.get(name), probeFunctions[name]),
    addresses: (name) => addressesIn(results.get(name), probeFunctions[name]),
    integer: (name) => integerIn(results.get(name), probeFunctions[name]),
    text: (name) => textIn(results.get(name), probeFunctions[name]) ?? bytes32Text(results.get(name)),
    supports: (name) => isTrue("isErc165") && !isTrue("isNothing") && isTrue(name),
  };
}

/** Early tokens return their name as bytes32. */
function bytes32Text(result: ReadResult | undefined): string | undefined {
  if (!result?.ok || result.data.length !== 66) return undefined;
  const text = Buffer.from(result.data.slice(2), "hex").toString("utf8").replace(/\0+$/, "");
  return /^[\x20-\x7e]{1,32}$/.test(text) ? text : undefined;
}

/** The results of a contract that cannot be probed. */
export const noProbeResults: ProbeResults = toProbeResults(new Map());
