import type { Activity, Subject } from "../../chains/activity.ts";
import type { SolanaTransaction } from "../../chains/solana/transactions/transaction.ts";
import { callReading } from "../evidence.ts";
import type { Reading } from "../meter.ts";
import { toUnits } from "../units.ts";

type TransferFilter = {
  token?: string | undefined;
  native: boolean;
  direction: "in" | "out" | "any";
  min_amount: number;
};

/** A net amount moved by a transaction, with the direction seen from the contract. `within` is a transfer between holders of the contract's own token. */
type Movement = { amount: bigint; direction: "in" | "out" | "within"; decimals: number; token: string };

/** Returns one reading for each transaction that moved the token, from the balances before and after it. */
export function solanaTransfers(filter: TransferFilter, activity: Activity, subject: Subject): Reading[] {
  const all = [...activity.calls, ...(activity.nearby ?? [])].sort((a, b) => a.tx_index - b.tx_index);
  return all.flatMap((call) => {
    const movement = call.solana?.is_success ? movementIn(call.solana, filter, subject) : undefined;
    if (!movement) return [];
    const { amount, direction, token } = movement;
    const size = toUnits(amount, movement.decimals);
    const matchesDirection = filter.direction === "any" || filter.direction === direction;
    if (!matchesDirection || size < filter.min_amount) return [];
    return [callReading(call, size, { direction, amount, token })];
  });
}

function movementIn(
  tx: SolanaTransaction,
  { token, native }: TransferFilter,
  subject: Subject,
): Movement | undefined {
  const { address, chain } = subject;
  if (native) {
    const decimals = chain.native_currency.decimals;
    return toMovement(nativeChange(tx, address), decimals, chain.native_currency.symbol);
  }
  const mint = token ?? address;
  const changes = tx.token_balances.filter((one) => one.mint === mint);
  const [first] = changes;
  if (!first) return undefined;
  if (mint === address) {
    const received = sum(changes.map(({ before, after }) => (after > before ? after - before : 0n)));
    const sent = sum(changes.map(({ before, after }) => (before > after ? before - after : 0n)));
    // A mint only increases balances and a burn only decreases them, so the larger sum is the amount.
    const amount = received > sent ? received : sent;
    return { amount, direction: "within", decimals: first.decimals, token: mint };
  }
  const own = changes.filter(({ owner, account }) => owner === address || account === address);
  return toMovement(sum(own.map(({ before, after }) => after - before)), first.decimals, mint);
}

/** The transaction fee is not a transfer, so it is added back. */
function nativeChange({ balances, fee_payer, fee }: SolanaTransaction, address: string): bigint {
  const own = balances.find((one) => one.address === address);
  if (!own) return 0n;
  return own.after - own.before + (fee_payer === address ? fee : 0n);
}

function toMovement(change: bigint, decimals: number, token: string): Movement | undefined {
  if (change === 0n) return undefined;
  return change > 0n
    ? { amount: change, direction: "in", decimals, token }
    : { amount: -change, direction: "out", decimals, token };
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, one) => total + one, 0n);
}
