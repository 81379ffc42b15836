import { z } from "zod";
import type { SolanaTransaction } from "../../chains/solana/transactions/transaction.ts";
import { callReading } from "../evidence.ts";
import { isOfOneReading } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { numberText, senderText } from "../words.ts";

const computeBudgetProgram = "ComputeBudget111111111111111111111111111111";
const setComputeUnitPrice = 3;

/** Measures what transactions offer to be included sooner. */
export const solanaPriorityFee = defineMeter({
  type: "solana_priority_fee",
  title: "Priority fees",
  about:
    "The price that each transaction of the address offers per compute unit, in micro-lamports; 0 if it offers none. A keeper whose price stays behind that of others is included late, and one that pays far more than usual drains its wallet.",
  unit: "micro-lamports",
  families: ["solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions"],
  aggregation: "p95",

  measure(_config, { calls }) {
    return calls.flatMap((call) => {
      const { solana } = call;
      if (!solana || solana.is_opaque) return [];
      const { compute_units, fee } = solana;
      return [callReading(call, priceOf(solana), { compute_units, fee, sender: call.from })];
    });
  },

  describe(_config, occasion) {
    const { reading, value, words } = occasion;
    if (!isOfOneReading(occasion)) return undefined;
    return `transaction${senderText(reading, words)} offered ${numberText(value)} micro-lamports per compute unit`;
  },
});

/** A transaction sets the price at most once. */
function priceOf({ instructions }: SolanaTransaction): number {
  const set = instructions.find(
    ({ program, data }) =>
      program === computeBudgetProgram && data.length >= 9 && data[0] === setComputeUnitPrice,
  );
  return set ? Number(set.data.readBigUInt64LE(1)) : 0;
}
