import { z } from "zod";
import type { ReadResult } from "../../chains/block.ts";
import { decimalsNumber } from "../config-fields.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { asInteger, readCall, readingOrProblem, resultOf, UnreadableState } from "../state-results.ts";

const declarations = {
  uniswap_v2: "getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)",
  uniswap_v3: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)",
} as const;

/** Measures the price of the first asset of a pool in the second. */
export const poolPrice = defineMeter({
  type: "pool_price",
  title: "Pool price",
  example: { pool_kind: "uniswap_v2", decimals: [18, 6] },
  about:
    "The price of the first asset of a pool in units of the second, from its reserves (Uniswap V2) or from its current price (Uniswap V3). One large trade moves it.",
  unit: "price",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({
    pool_kind: z.enum(["uniswap_v2", "uniswap_v3"]).describe("The protocol of the pool"),
    decimals: z
      .array(decimalsNumber)
      .length(2)
      .default([18, 18])
      .describe("The decimals of both assets, in the order of the pool"),
  }),
  needs: ["state"],
  aggregation: "last",

  reads({ pool_kind }, { address }) {
    return [readCall(address, declarations[pool_kind])];
  },

  interpret({ pool_kind, decimals: [first = 18, second = 18] }, [result]) {
    return readingOrProblem(() => {
      const { ratio, evidence } = pool_kind === "uniswap_v2" ? ratioOfReserves(result) : ratioOfRoot(result);
      return { value: ratio * 10 ** (first - second), evidence };
    });
  },

  describe(_config, occasion) {
    return `price in the pool ${movementText(occasion)}`;
  },
});

type Ratio = { ratio: number; evidence: Record<string, unknown> };

function ratioOfReserves(result: ReadResult | undefined): Ratio {
  const { reserve0, reserve1 } = resultOf(result, declarations.uniswap_v2);
  const evidence = { reserve0: asInteger(reserve0), reserve1: asInteger(reserve1) };
  if (evidence.reserve0 === 0n) throw new UnreadableState("The pool is empty.");
  return { ratio: Number(evidence.reserve1) / Number(evidence.reserve0), evidence };
}

/** The pool stores the square root of the price with 96 binary places. */
function ratioOfRoot(result: ReadResult | undefined): Ratio {
  const sqrt_price = asInteger(resultOf(result, declarations.uniswap_v3).sqrtPriceX96);
  if (sqrt_price === 0n) throw new UnreadableState("The pool has no price yet.");
  return { ratio: (Number(sqrt_price) / 2 ** 96) ** 2, evidence: { sqrt_price } };
}
