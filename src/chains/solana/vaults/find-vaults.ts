import type { Read, ReadResult } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { type FetchedAccount, fetchAccounts } from "../accounts/fetch-accounts.ts";
import { keepLargest, listTokenAccounts, unpackOwnedAccounts } from "../accounts/token-accounts.ts";
import { tokenDataBytes, tokenHoldingOf } from "../accounts/token-data.ts";
import { orUnavailable, unavailable } from "../accounts/unavailable.ts";
import { possibleDeriversOf } from "./possible-derivers.ts";
import { packVaults, type Vault } from "./vault.ts";
import type { VaultCandidate } from "./vault-candidates.ts";
import type { VaultEvidence } from "./vault-evidence.ts";
import { keepVaultsOf } from "./verify-owners.ts";

type VaultSearch = Omit<Extract<Read, { kind: "vaults" }>, "kind">;
type KnownVault = VaultSearch["known"][number];
type Accounts = ReadonlyMap<string, FetchedAccount>;
type Node = { rpc: Rpc; slot: number; prefer: number | undefined; evidence: VaultEvidence };

const accountsPerCall = 100;
const maxOwners = 100;
const maxCandidates = 400;
/** The owners of which all accounts are listed. */
const maxListedOwners = 3;
const callsPerOwner = 2;
/** An owner with more accounts in so few transactions may be that of all pools of an exchange, which nodes cannot list. */
const maxAccountsOfListedOwner = 8;
const maxListed = 1_000;

/** Finds the token accounts that a program controls, with what they hold, packed by `src/chains/solana/vaults/vault.ts`. */
export function findVaults(node: Node, { program, known }: VaultSearch): Promise<ReadResult> {
  return orUnavailable(async () => {
    const seen = await node.evidence.collect(node, program);
    if (!seen) return unavailable("a node returned an invalid list of signatures");
    const candidates = distinct(seen.flatMap((transactionEvidence) => transactionEvidence.candidates)).slice(
      0,
      maxCandidates,
    );
    const accounts = await fetchStates(node, program, candidates, known);
    if (known.some(({ account }) => !stateIn(accounts, account)))
      return unavailable("the vaults that are followed could not be read");
    const derivers = possibleDeriversOf(
      seen.flatMap((transactionEvidence) => transactionEvidence.signatures),
    );
    const accountAt = (owner: string) => stateIn(accounts, owner);
    const verified = keepVaultsOf({ program, derivers, accountAt }, candidates);
    const held = [...known, ...verified].flatMap((vault) => withHolding(vault, accounts));
    return { ok: true, data: packVaults(merge(held, await listOwned(node, program, [known, verified]))) };
  });
}

/** Each account once. */
function distinct<One extends { account: string }>(accounts: readonly One[]): One[] {
  return [...new Map(accounts.map((account) => [account.account, account])).values()];
}

function fetchStates(
  { rpc, slot, prefer, evidence }: Node,
  program: string,
  candidates: readonly VaultCandidate[],
  known: readonly KnownVault[],
): Promise<Accounts> {
  const owners = [...new Set(candidates.map(({ owner }) => owner))].slice(0, maxOwners);
  const vaults = [...candidates, ...known].map(({ account }) => account);
  const addresses = [...new Set([...owners, ...vaults])];
  evidence.addCalls(program, Math.ceil(addresses.length / accountsPerCall));
  return fetchAccounts(
    rpc,
    addresses.map((address) => ({ address, length: tokenDataBytes })),
    slot,
    prefer,
  );
}

function stateIn(accounts: Accounts, address: string) {
  const fetched = accounts.get(address);
  return fetched?.ok ? fetched.account : undefined;
}

/** A vault that was closed or given away holds nothing for the program. One that could not be read is left out. */
function withHolding(
  { account, owner, mint, decimals = 0 }: KnownVault & { decimals?: number },
  accounts: Accounts,
): Vault[] {
  const state = stateIn(accounts, account);
  if (!state) return [];
  const holding = tokenHoldingOf(state);
  const isHeld = holding?.owner === owner && holding.mint === mint;
  return [{ account, owner, mint, decimals, amount: isHeld ? holding.amount : 0n }];
}

/**
 * Lists all accounts of the owners, because a quiet vault is in none of the newest transactions. Each owner fails
 * independently.
 */
async function listOwned(
  { rpc, slot, prefer, evidence }: Node,
  program: string,
  [known, verified]: readonly [readonly KnownVault[], readonly VaultCandidate[]],
): Promise<Vault[]> {
  const byOwner = new Map<string, readonly KnownVault[]>([
    ...Map.groupBy(known, ({ owner }) => owner),
    ...Map.groupBy(verified, ({ owner }) => owner),
  ]);
  const owners = [...byOwner]
    .filter(([, accounts]) => accounts.length <= maxAccountsOfListedOwner)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, maxListedOwners)
    .map(([owner]) => owner);
  evidence.addCalls(program, callsPerOwner * owners.length);
  // An owner that nodes cannot list in time must not hide the vaults that transactions show.
  const reads = owners.map((owner) => ({ owner }));
  const listed = await listTokenAccounts(rpc, reads, slot, prefer).catch((error: unknown) => {
    if (error instanceof ChainError) return () => undefined;
    throw error;
  });
  return reads.flatMap(({ owner }) =>
    (unpackOwnedAccounts(listed({ owner })) ?? []).map((one) => ({ ...one, owner })),
  );
}

/** Each account once. What was known or seen is kept; of the others, those that hold the most. */
function merge(seen: readonly Vault[], listed: readonly Vault[]): Vault[] {
  const isSeen = new Set(seen.map(({ account }) => account));
  const others = listed.filter(({ account }) => !isSeen.has(account));
  // Contracts may know an account under different owners, of which one holds it.
  const byAmount = seen.toSorted((a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0));
  return [...distinct(byAmount), ...keepLargest(others, maxListed)];
}
