import { z } from "zod";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../../chains/solana/accounts/address.ts";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem } from "../state-results.ts";
import { changeText, senderText } from "../words.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";

/** The size of a mint account, which contains the mint and freeze authorities. */
const mintBytes = 82;

/** Detects changes of the upgrade authority of a program, or of the mint and freeze authorities of a token. */
export const solanaAuthorityChange = defineMeter({
  type: "solana_authority_change",
  title: "Authority changes",
  about:
    "1 if the upgrade authority of the program, or the mint or freeze authority of the token, changed, else 0. Detected from loader instructions and by polling the account.",
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

  measure(_config, activity, { address }) {
    return loaderActions(activity, address).flatMap(({ call, position, action }) => {
      if (action.kind !== "authority") return [];
      const state = action.authority ?? "none";
      return [{ ...callReading(call, 1, { state }), position }];
    });
  },

  reads(_config, { address }) {
    return [{ kind: "account", address, length: mintBytes }, programRead(programDataOf(address))];
  },

  interpret(_config, results, { address }, { previous }) {
    return readingOrProblem(() => {
      const account = unpackAccount(results[0]);
      const isMint = account?.owner === tokenProgram || account?.owner === token2022Program;
      if (account && isMint && account.data.length >= mintBytes) {
        return changeOf(mintAuthorities(account.data), previous);
      }
      return changeOf(readProgramState(results, address).authority ?? "none", previous);
    });
  },

  describe(_config, { reading, words }) {
    const { state, previous_state } = reading?.evidence ?? {};
    return `authority changed: ${changeText(previous_state, state, words)}${senderText(reading, words)}`;
  },
});

function mintAuthorities(data: Buffer): string {
  return `mint ${authorityAt(data, 0)}, freeze ${authorityAt(data, 46)}`;
}

function authorityAt(data: Buffer, at: number): string {
  return data.readUInt32LE(at) === 1 ? addressOfBytes(data.subarray(at + 4, at + 36)) : "none";
}
