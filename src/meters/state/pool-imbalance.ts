import { z } from "zod";
import { addressText, decimalsNumber } from "../config-fields.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { toUnits } from "../units.ts";
import { poolKinds } from "./pool-kinds.ts";

/** How unevenly a pool is filled. */
export const poolImbalance = defineMeter({
  type: "pool_imbalance",
  title: "Pool imbalance",
  about:
    "The share of the pool's largest asset by amount, from 1 divided by the number of assets, which is balanced, to 1. It says most of pools whose assets should be worth the same.",
  unit: "share",
  families: ["evm"],
  instances: "one",
  config: z
    .strictObject({
      pool_kind: z.enum(["uniswap_v2", "curve", "balancer"]).describe("Which protocol's pool it is"),
      coins: z.int().min(2).max(8).default(2).describe("Curve: how many assets the pool has"),
      pool_id: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, "A pool id is 32 bytes as 0x…")
        .optional()
        .describe("Balancer: the pool's id in the vault"),
      vault: addressText
        .default("0xBA12222222228d8Ba445958a75a0704d566BF2C8")
        .describe("Balancer: the vault"),
      decimals: z
        .array(decimalsNumber)
        .min(2)
        .max(8)
        .optional()
        .describe("The decimals of each asset in the pool's order; taken to be the same unless said"),
    })
    .refine(({ pool_kind, pool_id }) => pool_kind !== "balancer" || pool_id !== undefined, {
      message: "A Balancer pool needs its pool_id.",
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
        throw new UnreadableState(`The pool has ${balances.length} assets; give decimals for each of them.`);
      }
      const amounts = balances.map((balance, index) => toUnits(balance, config.decimals?.[index] ?? 0));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      if (total === 0) throw new UnreadableState("The pool is empty.");
      return { value: Math.max(...amounts) / total, evidence: { balances, amounts } };
    });
  },
});
