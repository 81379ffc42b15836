import type { LocatedTransaction } from "./transaction.ts";

/** What a listing says about a transaction. */
type Listed = { signature: string; slot: number; address: string; hasFailed: boolean; index: number | null };

/** A transaction of an unsupported version: it only counts as a success or a failure of the addresses that list it. */
export function undecodableTransaction({
  signature,
  slot,
  address,
  hasFailed,
  index,
}: Listed): LocatedTransaction {
  const transaction = {
    signature,
    fee_payer: "",
    accounts: [address],
    is_success: !hasFailed,
    error: hasFailed ? "unknown" : null,
    failed_program: null,
    fee: 0n,
    compute_units: 0n,
    instructions: [],
    lines: [],
    is_truncated: true,
    is_opaque: true as const,
    balances: [],
    token_balances: [],
    token_accounts: [],
    confidential: [],
  };
  return { slot, time: null, index, transaction };
}
