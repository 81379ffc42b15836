import { z } from "zod";
import { addressText, decimalsNumber } from "../config-fields.ts";
import { fromText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { percentText } from "../words.ts";
import { poolKinds } from "./pool-kinds.ts";

/** Measures how unbalanced a liquidity pool is. */
export const poolImbalance = defineMeter({
  type: "pool_imbalance",
  title: "Pool imbalance",
  example: { pool_kind: "uniswap_v2" },
  about:
    "The share of the largest asset of the pool by amount: 1 divided by the number of assets if balanced, 1 if only one asset is left. Meant for pools of assets with equal value, such as stablecoins.",
  unit: "share",
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z
    .strictObject({
      pool_kind: z.enum(["uniswap_v2", "curve", "balancer"]).describe("The protocol of the pool"),
      coins: z.int().min(2).max(8).default(2).describe("Curve: the number of assets in the pool"),
      pool_id: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, "A pool id is 0x followed by 64 hexadecimal digits.")
        .optional()
        .describe("Balancer: the id of the pool in the vault"),
      vault: addressText
        .default("0xBA12222222228d8Ba445958a75a0704d566BF2C8")
        .describe("Balancer: the vault address"),
      decimals: z
        .array(decimalsNumber)
        .min(2)
        .max(8)
        .optional()
        .describe(
          "The decimals of each asset in the order of the pool; by default all assets have the same decimals",
        ),
    })
    .refine(({ pool_kind, pool_id }) => pool_kind !== "balancer" || pool_id !== undefined, {
      message: "pool_id is required for a Balancer pool.",
      path: ["pool_id"],
    }),
  needs: ["state"],
  aggregation: "last",

  reads(config, { address }) {
    return poolKinds[config.pool_kind].reads(config, address);
  },

  interpret(config, results, { address }) {
    return readingOrProblem(() => {
      const balances = poolKinds[config.pool_kind].balances(config, results, address);
      if (config.decimals && config.decimals.length !== balances.length) {
        throw new UnreadableState(`The pool has ${balances.length} assets; set decimals for each of them.`);
      }
      const amounts = balances.map((balance, index) => toUnits(balance, config.decimals?.[index] ?? 0));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      if (total === 0) throw new UnreadableState("The pool is empty.");
      return { value: Math.max(...amounts) / total, evidence: { balances, amounts } };
    });
  },

  describe(_config, occasion) {
    const share = percentText(occasion.value);
    return `the largest asset is ${share} of the pool${fromText(occasion, percentText)}`;
  },
});
