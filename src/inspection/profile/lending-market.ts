import type { Hex, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressesIn, addressIn, integerIn } from "../classify/call-results.ts";
import type { ProbeResults } from "../classify/probes.ts";
import type { Profile } from "./profile.ts";

const maxMarketAssets = 16;

type MarketInput = { address: string; probes: ProbeResults; selectors: readonly Hex[] };

/** Learns how the utilisation of a lending market is read. */
export async function marketOf(
  pinned: PinnedBlock,
  { address, probes, selectors }: MarketInput,
): Promise<Profile["market"]> {
  if (probes.has("utilization")) return { kind: "compound_v3" };
  if (probes.has("comptroller")) return { kind: "compound_v2" };
  const provider = probes.address("addressesProvider");
  if (!provider) return ownMarket(pinned, address, selectors);
  const [dataProvider, reserves] = await pinned.read([
    readCall(provider, poolDataProvider),
    readCall(address, reservesList),
  ]);
  const data_provider = addressIn(dataProvider, poolDataProvider);
  const assets = addressesIn(reserves, reservesList).slice(0, maxMarketAssets);
  if (!data_provider || assets.length === 0) return null;
  const tokens = await pinned.read(assets.map((asset) => readCall(data_provider, reserveTokens, [asset])));
  const holders = tokens.map((result) => addressIn(firstWordOf(result), reserveTokens) ?? null);
  return { kind: "aave_v3", data_provider, assets, holders };
}

/** It returns the tokens of debts as well. */
const reserveTokens = "getReserveTokensAddresses(address) view returns (address aToken)";

function firstWordOf(result: ReadResult | undefined): ReadResult | undefined {
  return result?.ok ? { ...result, data: result.data.slice(0, 66) as Hex } : result;
}

const poolDataProvider = "getPoolDataProvider() view returns (address)";
const reservesList = "getReservesList() view returns (address[])";

const borrowFunctions = ["totalBorrowed()", "totalBorrows()", "totalBorrow()", "totalDebt()", "totalLoans()"];
const supplyFunctions = [
  ...["totalDeposited()", "totalDeposits()", "totalSupplied()", "totalLent()"],
  ...["totalAssets()", "totalCollateral()"],
];

/** A market of its own design has totals of what was supplied and borrowed, in the same unit. */
async function ownMarket(
  pinned: PinnedBlock,
  address: string,
  selectors: readonly Hex[],
): Promise<Profile["market"]> {
  const isPresent = (signature: string) => {
    const read = canonicalFunction(signature);
    return read.ok && selectors.includes(read.selector);
  };
  const [borrow_function, supply_function] = [
    borrowFunctions.find(isPresent),
    supplyFunctions.find(isPresent),
  ];
  if (!borrow_function || !supply_function) return null;
  const declarations = [borrow_function, supply_function].map(
    (declaration) => `${declaration} view returns (uint256)`,
  );
  const results = await pinned.read(declarations.map((declaration) => readCall(address, declaration)));
  const [borrowed, supplied] = declarations.map((declaration, index) =>
    integerIn(results[index], declaration),
  );
  if (borrowed === undefined || !supplied || borrowed > supplied) return null;
  return { kind: "own", borrow_function, supply_function };
}
