import { z } from "zod";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import {
  mintAuthoritiesOf,
  type TokenHolding,
  tokenDataBytes,
  tokenHoldingOf,
} from "../../chains/solana/accounts/token-data.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { changeText, senderText } from "../words.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";

/** Detects changes of the upgrade authority of a program, of the authorities of a mint, or of who controls a token account. */
export const solanaAuthorityChange = defineMeter({
  type: "solana_authority_change",
  title: "Authority changes",
  about:
    "1 if the upgrade authority of the program, the mint or freeze authority of the token, or the owner, delegate or close authority of the token account changed, else 0. Detected from loader instructions and by polling the account.",
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

  // Instructions of the loader name the program data account, and those of the program's users do not.
  transactionsOf(_config, { address }) {
    return [programDataOf(address)];
  },

  pollsAlone: true,

  measure(_config, activity, { address }, previous) {
    let before = previous?.evidence?.state;
    return loaderActions(activity, address).flatMap(({ call, position, action }) => {
      if (action.kind !== "authority") return [];
      const state = action.authority ?? "none";
      // A poll may have found the change before its transaction was read.
      if (state === before) return [];
      const previous_state = typeof before === "string" ? before : undefined;
      before = state;
      return [{ ...callReading(call, 1, { state, ...(previous_state && { previous_state }) }), position }];
    });
  },

  reads(_config, { address }) {
    return [{ kind: "account", address, length: tokenDataBytes }, programRead(programDataOf(address))];
  },

  interpret(_config, results, { address }, { previous }) {
    return readingOrProblem(() => {
      const account = unpackAccount(results[0]);
      const mint = mintAuthoritiesOf(account);
      if (mint) return changeOf(`mint ${mint.mint ?? "none"}, freeze ${mint.freeze ?? "none"}`, previous);
      const holding = tokenHoldingOf(account);
      if (holding) return changeOf(controlOf(holding), previous);
      return changeOf(readProgramState(results, address).authority ?? "none", previous);
    });
  },

  describe(_config, { reading, words }) {
    const { state, previous_state } = reading?.evidence ?? {};
    return `authority changed: ${changeText(previous_state, state, words)}${senderText(reading, words)}`;
  },
});

function controlOf({ owner, delegate, closeAuthority }: TokenHolding): string {
  return `owner ${owner}, delegate ${delegate ?? "none"}, close ${closeAuthority ?? owner}`;
}
