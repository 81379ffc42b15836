import type { Activity, Call } from "../../chains/activity.ts";
import { systemProgram } from "../../chains/solana/accounts/nonce-account.ts";
import { tokenMetadataOf, tokenMetadataProgram } from "../../chains/solana/accounts/token-metadata.ts";
import { squadsVersions } from "../../chains/solana/multisigs/squads-multisig.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";
import { loaderActions } from "./solana-loader.ts";
import { tokenActions } from "./token-authority.ts";

/** Returns the calls of a block that may have changed who controls an account, in order. */
export function controlChanges(activity: Activity, address: string): Call[] {
  const byInstruction = [...activity.calls, ...(activity.nearby ?? [])].filter(
    ({ solana }) =>
      solana?.is_success && solana.instructions.some((instruction) => changesControl(instruction, address)),
  );
  const ofLoader = loaderActions(activity, address).filter(({ action }) => action.kind === "authority");
  const all = [
    ...byInstruction,
    ...[...ofLoader, ...tokenActions(activity, address)].map(({ call }) => call),
  ];
  return all.sort((a, b) => a.tx_index - b.tx_index);
}

function changesControl({ program, accounts, data }: SolanaInstruction, address: string): boolean {
  if (program === systemProgram) return accounts[0] === address && changesNonce(data);
  if (program === tokenMetadataProgram)
    return metadataUpdates.has(data[0] ?? -1) && accounts.includes(tokenMetadataOf(address));
  const squads = squadsVersions().find((version) => version.program === program);
  return squads !== undefined && accounts[0] === address && squads.changesMembers(data);
}

/** UpdateMetadataAccount, its second version, and Update. */
const metadataUpdates: ReadonlySet<number> = new Set([1, 15, 50]);

/** WithdrawNonceAccount, InitializeNonceAccount and AuthorizeNonceAccount. */
function changesNonce(data: Buffer): boolean {
  return data.length >= 4 && [5, 6, 7].includes(data.readUInt32LE());
}

const addresses = /[1-9A-HJ-NP-Za-km-z]{32,44}/g;
const maxAuthorities = 2;

/**
 * Returns the addresses whose transactions show a change of a polled state, in the order in which they are searched. An authority that
 * is replaced signs, and has fewer transactions than a token.
 */
export function changedAddresses(address: string, before: string, after: string): string[] {
  const metadata = metadataIn(before) === metadataIn(after) ? [] : [tokenMetadataOf(address)];
  const replaced = (before.match(addresses) ?? []).filter((authority) => !after.includes(authority));
  return [...metadata, address, ...replaced.slice(0, maxAuthorities)];
}

function metadataIn(state: string): string | undefined {
  return state.split(", ").find((part) => part.startsWith("metadata "));
}
