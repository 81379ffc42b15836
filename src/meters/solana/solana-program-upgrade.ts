import { z } from "zod";
import type { Activity } from "../../chains/activity.ts";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter, type Occasion } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { senderText, type Words } from "../words.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";

/** Detects upgrades of a program. */
export const solanaProgramUpgrade = defineMeter({
  type: "solana_program_upgrade",
  title: "Program upgrades",
  about:
    "1 if the program was upgraded, closed or retracted, else 0. Detected from loader instructions and by polling the program and its program data account. An extension of the account is not an upgrade.",
  unit: "changes",
  isOccurrence: true,
  families: ["solana"],
  instances: "one",
  config: z.strictObject({
    loader: z
      .enum(["v3", "v4"])
      .optional()
      .describe(
        "v4: the program belongs to the loader v4, whose instructions name the program itself, so that its own transactions are read. By default v3, whose program data account is followed; deployments under v4 are then found by polling only",
      ),
  }),
  needs: ["transactions", "state"],
  aggregation: "sum",

  relatedAddresses(_config, { address }) {
    return [programDataOf(address)];
  },

  // Instructions of the loader name the program data account, and those of the program's users do not.
  transactionsOf({ loader }, { address }) {
    return [loader === "v4" ? address : programDataOf(address)];
  },

  pollsAlone: true,

  // The state is the slot of the account, which the next poll reads too, so that it does not report the instruction again.
  measure(_config, activity, { address }) {
    return loaderActions(activity, address)
      .filter(({ action }) => action.kind !== "authority")
      .map(({ call, position, action }) => {
        const state = action.kind === "close" ? "closed" : String(activity.height);
        const { authority, buffer } = action.kind === "upgrade" ? action : {};
        const evidence = { state, ...(authority && { authority }), ...(buffer && { buffer }) };
        return { ...callReading(call, action.kind === "extend" ? 0 : 1, evidence), position };
      });
  },

  reads(_config, { address }) {
    return [programRead(address), programRead(programDataOf(address))];
  },

  causesOf: (activity, { address }) => deployments(activity, address).map(({ call }) => call),

  changedAddresses: ({ address }) => [programDataOf(address), address],

  dependsOnTime: true,

  interpret(_config, results, { address }, { previous, height = Infinity }) {
    return readingOrProblem(() => {
      const { slot } = readProgramState(results, address);
      const before = previous?.evidence?.state;
      // Nodes return the current state. The instruction that set it is read with its slot, and says what it did.
      if (slot !== null && slot > height && typeof before === "string") return changeOf(before, previous);
      return changeOf(slot === null ? "closed" : String(slot), previous);
    });
  },

  describe(_config, { reading, words }) {
    const state = reading?.evidence?.state;
    if (state === "closed") return `program closed${senderText(reading, words)}`;
    return `program upgraded in slot ${String(state)}${senderText(reading, words)}${authorityText(reading, words)}`;
  },
});

/** The loader actions of a block that change the code, in order. */
function deployments(activity: Activity, address: string) {
  return loaderActions(activity, address).filter(
    ({ action }) => action.kind === "upgrade" || action.kind === "close",
  );
}

/** The fee may be paid by someone else than the upgrade authority, such as the vault of a multisig. */
function authorityText(reading: Occasion["reading"], words: Words): string {
  const { authority, from } = reading?.evidence ?? {};
  return typeof authority === "string" && authority !== from
    ? ` with the authority of ${words.address(authority)}`
    : "";
}
