import { z } from "zod";
import { defineMeter } from "./meter.ts";
import { toUnits } from "./units.ts";

/** What the contract holds of the chain's own currency. */
export const nativeBalance = defineMeter({
  type: "native_balance",
  title: "Native balance",
  about: "What the contract holds of the chain's own currency.",
  unit: "native units",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["state"],
  aggregation: "last",

  reads(_config, { address }) {
    return [{ kind: "balance", address }];
  },

  interpret(_config, [result], { chain }) {
    if (!result?.ok) return { problem: result?.problem ?? "the balance could not be read" };
    const wei = BigInt(result.data);
    const value = toUnits(wei, chain.native_currency.decimals);
    return { value, tx_hash: null, position: null, evidence: { wei } };
  },
});
