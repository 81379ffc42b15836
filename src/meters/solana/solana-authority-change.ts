import { z } from "zod";
import type { Activity } from "../../chains/activity.ts";
import type { Read, ReadResult } from "../../chains/block.ts";
import { type AccountState, unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { isDerivedAddress } from "../../chains/solana/accounts/address.ts";
import { mintBytesWithExtensions, mintExtensionsOf } from "../../chains/solana/accounts/mint-extensions.ts";
import { nonceAuthorityOf, nonceBytes, systemProgram } from "../../chains/solana/accounts/nonce-account.ts";
import { programDataOf, programRead } from "../../chains/solana/accounts/program-account.ts";
import {
  mintAuthoritiesOf,
  type TokenHolding,
  tokenHoldingOf,
} from "../../chains/solana/accounts/token-data.ts";
import {
  tokenMetadataBytes,
  tokenMetadataOf,
  updateAuthorityOf,
} from "../../chains/solana/accounts/token-metadata.ts";
import { multisigBytes, squadsMultisigOf } from "../../chains/solana/multisigs/squads-multisig.ts";
import { changeOf } from "../change.ts";
import { callReading } from "../evidence.ts";
import { defineMeter, type Reading, type TimedReading } from "../meter.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { changeText, senderText } from "../words.ts";
import { changedAddresses, controlChanges } from "./control-change.ts";
import { controlChangeText } from "./control-text.ts";
import { mintChange } from "./mint-state.ts";
import { multisigChange, multisigChangeText } from "./multisig-state.ts";
import { nonceActions } from "./nonce-actions.ts";
import { loaderActions } from "./solana-loader.ts";
import { readProgramState } from "./solana-program-state.ts";
import { closedState, stateAfter, tokenActions, valueIn } from "./token-authority.ts";

const shape = z.strictObject({
  account: z
    .enum(["program", "program_v4", "token", "multisig", "nonce"])
    .optional()
    .describe(
      "The kind of account. By default token for derived addresses, such as associated token accounts, and program for all others. program: only the transactions of its upgrade authority are read. token: a mint or a token account. Its own transactions are read, so that every change is found with its transaction, also one that is undone before the next poll. (The same holds if another target of the contract reads its transactions.) program_v4: a program of the loader v4; its own transactions are read. multisig (Squads v3 or v4) and nonce (a durable nonce): the account is only polled",
    ),
});

function isToken({ account }: z.output<typeof shape>, address: string): boolean {
  return account === undefined ? isDerivedAddress(address) : account === "token";
}

/**
 * Detects changes of the upgrade authority of a program, of the authorities of a mint, or of who controls a token account, a
 * multisig or a durable nonce.
 */
export const solanaAuthorityChange = defineMeter({
  type: "solana_authority_change",
  title: "Authority changes",
  about:
    "1 if control of the account changed, else 0. For a program, its upgrade authority. For a token, its authorities, including the update authority of Metaplex metadata and, for Token-2022, fees, interest, transfer hook, scale, pause and default state. For a token account, its owner, delegate, close authority or CPI guard, and whether it was frozen, thawed or closed. For a multisig of Squads, its threshold, voting members, time lock or config authority. For a durable nonce, its authority. Detected from the instructions of the loader and of the token programs, and by polling the account. The transaction of a polled change is searched, so that the alert names who made it.",
  unit: "changes",
  isOccurrence: true,
  families: ["solana"],
  instances: "one",
  config: shape,
  needs: ["transactions", "state"],
  aggregation: "sum",

  relatedAddresses(_config, { address }) {
    return [programDataOf(address)];
  },

  // Instructions of the loader name the program data account, and those of the program's users do not.
  transactionsOf(config, { address }) {
    if (config.account === "multisig" || config.account === "nonce") return [];
    const isOwn = isToken(config, address) || config.account === "program_v4";
    return [isOwn ? address : programDataOf(address)];
  },

  pollsAlone: true,

  // Also those of transactions that another target of the contract reads.
  measure(config, activity, { address }, previous) {
    const ofToken = tokenReadings(activity, address, previous);
    return isToken(config, address)
      ? ofToken
      : [...ofToken, ...authorityReadings(activity, address, previous)];
  },

  reads({ account }, { address }, previous) {
    if (account === "multisig") return [{ kind: "account", address, length: multisigBytes }];
    if (account === "nonce") return [{ kind: "account", address, length: nonceBytes }];
    const own: Read = { kind: "account", address, length: mintBytesWithExtensions };
    if (!isOfMint(previous)) return [own, programRead(programDataOf(address))];
    return [own, { kind: "account", address: tokenMetadataOf(address), length: tokenMetadataBytes }];
  },

  causesOf: (activity, { address }) => controlChanges(activity, address),

  changedAddresses({ address }, { evidence }) {
    return changedAddresses(address, String(evidence?.previous_state), String(evidence?.state));
  },

  interpret(config, results, { address }, { previous }) {
    return readingOrProblem(() => {
      const account = unpackAccount(results[0]);
      const multisig = squadsMultisigOf(account);
      if (multisig) return multisigChange(multisig, previous);
      if (config.account === "multisig")
        throw new UnreadableState("The account is not a multisig of Squads, or could not be read.");
      const nonceAuthority = nonceAuthorityOf(account);
      if (nonceAuthority) return changeOf(`nonce ${nonceAuthority}`, previous);
      if (config.account === "nonce")
        throw new UnreadableState("The account is not a durable nonce, or could not be read.");
      const mint = mintAuthoritiesOf(account);
      if (mint)
        return mintChange(
          { ...mint, metadata: isOfMint(previous) ? metadataAuthorityIn(results[1]) : undefined },
          mintExtensionsOf(account),
          previous,
        );
      const holding = tokenHoldingOf(account);
      if (holding) return changeOf(controlOf(holding), previous);
      if (account && isOfToken(previous)) return changeOf(stateOfOther(account), previous);
      return changeOf(readProgramState(results, address).authority ?? "none", previous);
    });
  },

  describe(_config, { reading, words }) {
    const { state, previous_state, change, before, after } = reading?.evidence ?? {};
    if (typeof change === "string")
      return `${change} changed: ${changeText(before, after, words)}${senderText(reading, words)}`;
    if (state === closedState) return `account changed: open → closed${senderText(reading, words)}`;
    const text =
      multisigChangeText(previous_state, state, words) ??
      controlChangeText(previous_state, state, words) ??
      `authority changed: ${changeText(previous_state, state, words)}`;
    return `${text}${senderText(reading, words)}`;
  },
});

/** Only the first poll shows that an account is a mint, and the next ones read its metadata too. */
function isOfMint(reading: TimedReading | undefined): boolean {
  const state = reading?.evidence?.state;
  return typeof state === "string" && state.startsWith("mint ");
}

function isOfToken(reading: TimedReading | undefined): boolean {
  const state = reading?.evidence?.state;
  return typeof state === "string" && (state === closedState || /^(?:mint|owner) /.test(state));
}

/** Without tokens an account is closed; lamports that are sent to it make it a wallet. */
function stateOfOther({ owner }: AccountState): string {
  if (owner === null || owner === systemProgram) return closedState;
  throw new UnreadableState("The account is neither a mint nor a token account any more.");
}

/** The update authority of the metadata of a mint; undefined if it has none. */
function metadataAuthorityIn(result: ReadResult | undefined): string | undefined {
  const account = unpackAccount(result);
  if (!account) throw new UnreadableState("The metadata of the token could not be read.");
  return updateAuthorityOf(account);
}

/** The changes of the authority of a program or a durable nonce. */
function authorityReadings(
  activity: Activity,
  address: string,
  previous: TimedReading | undefined,
): Reading[] {
  const change = polledChange(previous);
  let before = previous?.evidence?.state;
  const ofPrograms = loaderActions(activity, address).flatMap(({ call, position, action }) =>
    action.kind === "authority"
      ? [{ call, position, state: action.authority ?? "none", before: action.before }]
      : [],
  );
  return [...ofPrograms, ...nonceActions(activity, address)].flatMap(
    ({ call, position, state, ...known }) => {
      const previous_state = known.before ?? before;
      if (state === known.before) return [];
      const wasFound = state === before && change !== undefined && change.before !== state;
      before = state;
      if (wasFound) return [];
      const evidence = { state, ...(typeof previous_state === "string" && { previous_state }) };
      return [{ ...callReading(call, 1, evidence), position }];
    },
  );
}

/** Every change counts, also one that is undone in the same transaction. */
function tokenReadings(activity: Activity, address: string, previous: TimedReading | undefined): Reading[] {
  const polled = polledChange(previous);
  let state = previous?.evidence?.state;
  return tokenActions(activity, address).flatMap(({ call, position, what, part, ...change }) => {
    const { after } = change;
    if (polled && state === closedState && part === "account") return [];
    const was = part && typeof state === "string" ? valueIn(state, part) : undefined;
    // Without a known state, the next poll is the first one, which counts as unchanged.
    if (typeof state === "string") state = stateAfter(state, { part, after });
    const is = part && typeof state === "string" ? valueIn(state, part) : undefined;
    const isUnchanged = was !== undefined && was === is;
    if (isUnchanged && part && polled && valueIn(polled.before, part) !== is) return [];
    const before = change.before ?? (isUnchanged ? null : (was ?? null));
    const evidence = { change: what, before, after, sender: call.from };
    return [
      { ...callReading(call, 1, { ...evidence, ...(typeof state === "string" && { state }) }), position },
    ];
  });
}

/** A poll reads the current state, so that it may have found and reported a change before its transaction was read. */
function polledChange(previous: TimedReading | undefined): { before: string } | undefined {
  const { previous_state: before, from } = previous?.evidence ?? {};
  return typeof before === "string" && from === undefined ? { before } : undefined;
}

function controlOf({ owner, delegate, closeAuthority }: TokenHolding): string {
  return `owner ${owner}, delegate ${delegate ?? "none"}, close ${closeAuthority ?? owner}`;
}
