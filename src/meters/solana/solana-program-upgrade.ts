import { z } from "zod";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";

/** Whether the program was given other code. */
export const solanaProgramUpgrade = defineMeter({
  type: "solana_program_upgrade",
  title: "Program upgrades",
  about: "1 when the program was deployed anew or closed, 0 when it was looked at and had not been.",
  unit: "changes",
  families: ["solana"],
  instances: "one",
  config: z.strictObject({}),
  needs: ["transactions", "state"],
  aggregation: "sum",

  relatedAddresses(_config, { address }) {
    return [programDataOf(address)];
  },

  // The slot of the last deployment is that of the transaction, so that the next look at the state is no second change.
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
});
