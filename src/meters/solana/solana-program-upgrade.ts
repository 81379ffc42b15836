import { z } from "zod";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { senderText } from "../words.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";

/** Detects upgrades of a program. */
export const solanaProgramUpgrade = defineMeter({
  type: "solana_program_upgrade",
  title: "Program upgrades",
  about:
    "1 if the program was upgraded or closed, else 0. Detected from loader instructions and by polling the program account.",
  unit: "changes",
  isOccurrence: true,
  families: ["solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions", "state"],
  aggregation: "sum",

  relatedAddresses(_config, { address }) {
    return [programDataOf(address)];
  },

  // The state is the deployment slot, which the next poll reads too, so that it does not report the upgrade again.
  measure(_config, activity, { address }) {
    return loaderActions(activity, address)
      .filter(({ action }) => action.kind !== "authority")
      .map(({ call, position, action }) => {
        const state = action.kind === "close" ? "closed" : String(activity.height);
        return { ...callReading(call, 1, { state }), position };
      });
  },

  reads(_config, { address }) {
    return [programRead(address), programRead(programDataOf(address))];
  },

  interpret(_config, results, { address }, { previous }) {
    return readingOrProblem(() => {
      const { slot } = readProgramState(results, address);
      return changeOf(slot === null ? "closed" : String(slot), previous);
    });
  },

  describe(_config, { reading, words }) {
    const state = reading?.evidence?.state;
    if (state === "closed") return `program closed${senderText(reading, words)}`;
    return `program upgraded in slot ${String(state)}${senderText(reading, words)}`;
  },
});
