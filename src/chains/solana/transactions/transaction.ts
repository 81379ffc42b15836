import type { OwnedTokenAccount } from "../../family.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { fromBase58, tokenProgram } from "../accounts/address.ts";
import { systemProgram } from "../accounts/nonce-account.ts";
import { withBatched } from "./batched-instructions.ts";
import { type ConfidentialMovement, confidentialMovements } from "./confidential-amounts.ts";
import { type ProgramLine, readLogs } from "./program-logs.ts";
import { type RawTokenBalance, type RawTransaction, rawTransaction } from "./raw-transaction.ts";

/** A Solana transaction with all data that meters use. */
export type SolanaTransaction = {
  signature: string;
  fee_payer: string;
  /** In the order of the message, followed by those of lookup tables. */
  accounts: string[];
  is_success: boolean;
  error: string | null;
  /** The program whose error ended the transaction; null if it succeeded or its log does not say. */
  failed_program: string | null;
  fee: bigint;
  compute_units: bigint;
  /** In the order of execution, including instructions that programs invoke, and those of a batch after it. */
  instructions: SolanaInstruction[];
  lines: ProgramLine[];
  is_truncated: boolean;
  /** True if its version is not supported, so that only its success and some of its accounts are known. */
  is_opaque?: true;
  /** True if the node did not record what its programs invoked or logged. */
  is_unrecorded?: true;
  /** The lamports of accounts whose balance changed. */
  balances: { address: string; before: bigint; after: bigint }[];
  token_balances: TokenChange[];
  /** Every token account with its owners, also if its balance did not change. */
  token_accounts: OwnedTokenAccount[];
  /** Movements of tokens whose amount is encrypted. */
  confidential: ConfidentialMovement[];
};

export type SolanaInstruction = {
  program: string;
  accounts: string[];
  data: Buffer;
  /** 1 for a top-level instruction. */
  depth: number;
  /** The program that invoked it; null for a top-level instruction, or when the node does not report it. */
  caller: string | null;
  /** The position within the transaction. */
  position: number;
};

/** Amounts are the stored ones, because nodes do not scale those of transactions; `scale` is the factor by which they are shown. */
export type TokenChange = {
  account: string;
  owner: string | null;
  mint: string;
  decimals: number;
  before: bigint;
  after: bigint;
  /** The token program; absent if the node does not report it. */
  program?: string | undefined;
  scale?: number;
};

/** A transaction with its slot, from `getTransaction` in the encoding `json`. */
export type LocatedTransaction = {
  slot: number;
  time: number | null;
  index: number | null;
  transaction: SolanaTransaction;
};

/** Reads the result of `getTransaction`; throws an EndpointFailure when it is invalid. */
export function readTransaction(value: unknown, signature: string): LocatedTransaction {
  const parsed = rawTransaction.safeParse(value);
  if (!parsed.success) throw new EndpointFailure("malformed", "returned an invalid transaction");
  const raw = parsed.data;
  if (raw.transaction.signatures[0] !== signature) {
    throw new EndpointFailure("inconsistent", "returned another transaction than requested");
  }
  const { loadedAddresses, err, fee, computeUnitsConsumed, logMessages } = raw.meta;
  const { accountKeys } = raw.transaction.message;
  const accounts = [
    ...accountKeys,
    ...(loadedAddresses?.writable ?? []),
    ...(loadedAddresses?.readonly ?? []),
  ];
  const { lines, isTruncated, failedProgram } = readLogs(logMessages ?? []);
  const instructions = instructionsOf(raw, accounts);
  const isSuccess = err === null || err === undefined;
  const isUnrecorded = isSuccess && lacksRecord(raw) && instructions.some(mayInvokeOrLog);
  const transaction = {
    signature,
    fee_payer: accountKeys[0] as string,
    accounts,
    is_success: isSuccess,
    error: isSuccess ? null : JSON.stringify(err).slice(0, 300),
    failed_program: isSuccess ? null : failedProgram,
    fee,
    compute_units: computeUnitsConsumed ?? 0n,
    instructions,
    lines,
    is_truncated: isTruncated,
    ...(isUnrecorded && { is_unrecorded: true as const }),
    balances: balancesOf(raw, accounts),
    token_balances: tokenChangesOf(raw, accounts),
    token_accounts: tokenAccountsIn(raw, accounts),
    confidential: isSuccess ? confidentialMovements(instructions, ownersOf(raw, accounts)) : [],
  };
  return { slot: raw.slot, time: raw.blockTime ?? null, index: raw.transactionIndex ?? null, transaction };
}

/** Nodes answer null for what they did not record, which an operator of one may have switched off; what is empty is a list. */
function lacksRecord({ meta }: RawTransaction): boolean {
  return !meta.innerInstructions || !meta.logMessages;
}

/** Programs that invoke no others and whose log says nothing. */
const silentPrograms: ReadonlySet<string> = new Set([
  systemProgram,
  tokenProgram,
  "ComputeBudget111111111111111111111111111111",
]);

function mayInvokeOrLog({ program }: SolanaInstruction): boolean {
  return !silentPrograms.has(program);
}

function instructionsOf({ transaction, meta }: RawTransaction, accounts: string[]): SolanaInstruction[] {
  const inner = new Map(meta.innerInstructions?.map((group) => [group.index, group.instructions]));
  const executed = transaction.message.instructions.flatMap((instruction, index) => [
    { ...instruction, depth: 1 },
    ...(inner.get(index) ?? []).map((called) => ({ ...called, depth: called.stackHeight ?? 2 })),
  ]);
  /** The program that runs at each depth. */
  const running: string[] = [];
  const instructions = executed.map((instruction) => {
    const program = accountAt(accounts, instruction.programIdIndex);
    running[instruction.depth] = program;
    const data =
      typeof instruction.data === "string" ? fromBase58(instruction.data) : Buffer.from(instruction.data);
    if (!data) throw new EndpointFailure("malformed", "returned an invalid instruction");
    const instructionAccounts = instruction.accounts.map((index) => accountAt(accounts, index));
    return {
      program,
      accounts: instructionAccounts,
      data,
      depth: instruction.depth,
      caller: instruction.stackHeight ? (running[instruction.depth - 1] ?? null) : null,
    };
  });
  return instructions.flatMap(withBatched).map((instruction, position) => ({ ...instruction, position }));
}

function balancesOf({ meta }: RawTransaction, accounts: string[]): SolanaTransaction["balances"] {
  return accounts.flatMap((address, index) => {
    const before = meta.preBalances[index] ?? 0n;
    const after = meta.postBalances[index] ?? 0n;
    return before === after ? [] : [{ address, before, after }];
  });
}

function tokenChangesOf({ meta }: RawTransaction, accounts: string[]): TokenChange[] {
  const changes = new Map<string, TokenChange>();
  const addBalances = (side: "before" | "after", list: RawTokenBalance[]) => {
    for (const { accountIndex, mint, owner, uiTokenAmount, programId } of list) {
      // An account whose owner was replaced is a transfer of what it holds, from one owner to the other.
      const key = `${accountIndex} ${owner}`;
      const change = changes.get(key) ?? {
        account: accountAt(accounts, accountIndex),
        owner: owner ?? null,
        mint,
        decimals: uiTokenAmount.decimals,
        program: programId ?? undefined,
        before: 0n,
        after: 0n,
      };
      changes.set(key, { ...change, [side]: BigInt(uiTokenAmount.amount) });
    }
  };
  addBalances("before", meta.preTokenBalances ?? []);
  addBalances("after", meta.postTokenBalances ?? []);
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

function tokenAccountsIn({ meta }: RawTransaction, accounts: string[]): OwnedTokenAccount[] {
  const all = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])];
  const distinct = new Map(all.map((balance) => [`${balance.accountIndex} ${balance.owner}`, balance]));
  return [...distinct.values()].flatMap(({ accountIndex, mint, owner }) =>
    owner ? [{ account: accountAt(accounts, accountIndex), mint, owner }] : [],
  );
}

function ownersOf({ meta }: RawTransaction, accounts: string[]): Map<string, string | null> {
  const all = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])];
  return new Map(all.map(({ accountIndex, owner }) => [accountAt(accounts, accountIndex), owner ?? null]));
}

function accountAt(accounts: string[], offset: number): string {
  const account = accounts[offset];
  if (account === undefined)
    throw new EndpointFailure("malformed", "references an account that is not in the transaction");
  return account;
}
