import { z } from "zod";
import type { ReadResult } from "../../chains/block.ts";
import { addressText } from "../config-fields.ts";
import { functionOf, functionText } from "../config-filters.ts";
import { fromText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import {
  asInteger,
  integerResult,
  readCall,
  readingOrProblem,
  resultOf,
  UnreadableState,
} from "../state-results.ts";
import { toUnits } from "../units.ts";
import { percentText } from "../words.ts";

const cometUtilization = "getUtilization() view returns (uint256)";
const aaveReserve =
  "getReserveData(address asset) view returns (uint256 unbacked, uint256 accruedToTreasuryScaled, uint256 totalAToken, uint256 totalStableDebt, uint256 totalVariableDebt)";

const compoundV2 = [
  "getCash() view returns (uint256)",
  "totalBorrows() view returns (uint256)",
  "totalReserves() view returns (uint256)",
] as const;

const getterText = functionText.refine(
  (text) => functionOf(text)?.item.inputs.length === 0,
  "The function must take no arguments.",
);

const shape = z
  .strictObject({
    preset: z.enum(["aave_v3", "compound_v2", "compound_v3"]).optional().describe("A supported protocol"),
    asset: addressText.optional().describe("Aave: the address of the market's asset"),
    assets: z
      .array(addressText)
      .min(1)
      .max(20)
      .optional()
      .describe("Aave: the addresses of several assets; the highest utilisation is measured"),
    data_provider: addressText
      .optional()
      .describe("Aave: the address of the pool's data provider, not of the pool itself"),
    borrow_function: getterText
      .optional()
      .describe("The function that returns the total borrowed, such as totalBorrow()"),
    supply_function: getterText
      .optional()
      .describe("The function that returns the total supplied, such as totalSupply()"),
  })
  .superRefine((config, context) => {
    const message = presetProblem(config);
    if (message) context.addIssue({ code: "custom", path: ["preset"], message });
  });

type Config = z.output<typeof shape>;

/** Measures the utilisation of a lending market. */
export const utilization = defineMeter({
  type: "utilization",
  title: "Utilisation",
  example: { preset: "compound_v3" },
  about:
    "The share of the supply of a lending market that is borrowed, usually from 0 to 1. Near 1, lenders may be unable to withdraw.",
  unit: "share",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: shape,
  needs: ["state"],
  aggregation: "last",

  reads({ preset, data_provider, borrow_function, supply_function, ...assets }, { address }) {
    if (preset === "compound_v3") return [readCall(address, cometUtilization)];
    if (preset === "compound_v2") return compoundV2.map((declaration) => readCall(address, declaration));
    if (preset === "aave_v3")
      return data_provider
        ? assetsOf(assets).map((asset) => readCall(data_provider, aaveReserve, [asset]))
        : [];
    if (!borrow_function || !supply_function) return [];
    return [readCall(address, borrow_function), readCall(address, supply_function)];
  },

  interpret({ preset, ...config }, results) {
    return readingOrProblem(() => {
      if (preset === "compound_v3") {
        const scaled = integerResult(results[0], cometUtilization);
        return { value: toUnits(scaled, 18), evidence: { scaled } };
      }
      if (preset === "aave_v3") return highestOf(assetsOf(config), results);
      const totals = preset === "compound_v2" ? compoundV2Totals(results) : functionTotals(results);
      return { value: utilizationOf(totals), evidence: totals };
    });
  },

  describe(_config, occasion) {
    const { reading, value, words } = occasion;
    const asset = reading?.evidence?.asset;
    const of = typeof asset === "string" ? ` of ${words.address(asset)}` : "";
    return `${percentText(value)} of the supply${of} is borrowed${fromText(occasion, percentText)}`;
  },
});

type Totals = { borrowed: bigint; supplied: bigint };

function assetsOf({
  asset,
  assets = [],
}: {
  asset?: string | undefined;
  assets?: string[] | undefined;
}): string[] {
  return asset ? [asset, ...assets] : assets;
}

/** Measures the asset with the highest utilisation. An asset that nobody supplies has none. */
function highestOf(assets: readonly string[], results: readonly ReadResult[]) {
  const measured = assets.map((asset, index) => {
    const totals = aaveTotals(results[index]);
    return { value: utilizationOf(totals), evidence: { asset, ...totals } };
  });
  const [highest] = measured.toSorted((a, b) => b.value - a.value);
  if (!highest) throw new UnreadableState("The target names no asset.");
  return highest;
}

/** Of the cash and the borrows of a Compound V2 market, the reserves belong to the protocol. */
function compoundV2Totals(results: readonly ReadResult[]): Totals {
  const [cash = 0n, borrowed = 0n, reserves = 0n] = compoundV2.map((declaration, index) =>
    integerResult(results[index], declaration),
  );
  return { borrowed, supplied: cash + borrowed - reserves };
}

function aaveTotals(result: ReadResult | undefined): Totals {
  const { totalStableDebt, totalVariableDebt, totalAToken } = resultOf(result, aaveReserve);
  const borrowed = asInteger(totalStableDebt) + asInteger(totalVariableDebt);
  const supplied = asInteger(totalAToken);
  // The pool has a function of the same name. Its result also decodes, but has another meaning.
  if (borrowed > 2n * supplied)
    throw new UnreadableState("The address does not behave like an Aave data provider; check data_provider.");
  return { borrowed, supplied };
}

/** Reads the first return value; further values are ignored. */
function functionTotals([borrow, supply]: readonly ReadResult[]): Totals {
  return {
    borrowed: integerResult(borrow, "borrow_function() view returns (uint256)"),
    supplied: integerResult(supply, "supply_function() view returns (uint256)"),
  };
}

function utilizationOf({ borrowed, supplied }: Totals): number {
  if (supplied > 0n) return Number(borrowed) / Number(supplied);
  if (borrowed === 0n) return 0;
  throw new UnreadableState(
    "The market has borrows but no supply; check borrow_function and supply_function.",
  );
}

function presetProblem({
  preset,
  asset,
  assets,
  data_provider,
  borrow_function,
  supply_function,
}: Config): string | undefined {
  const functions = [borrow_function, supply_function].filter((text) => text !== undefined);
  if (preset && functions.length > 0)
    return "preset cannot be combined with borrow_function and supply_function.";
  if (!preset && functions.length < 2) return "Set preset, or both borrow_function and supply_function.";
  if (preset === "aave_v3" && !((asset || assets) && data_provider))
    return "asset and data_provider are required for aave_v3.";
  return undefined;
}
