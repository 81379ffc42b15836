import type { Activity, Subject } from "../../chains/activity.ts";
import type { SolanaTransaction, TokenChange } from "../../chains/solana/transactions/transaction.ts";
import { callReading } from "../evidence.ts";
import type { Reading } from "../meter.ts";
import { toUnits } from "../units.ts";

type TransferFilter = {
  token?: string | undefined;
  native: boolean;
  direction: "in" | "out" | "any";
  min_amount: number;
};

/**
 * A net amount moved by a transaction, with the direction seen from the contract. `within` is a transfer between holders of the
 * contract's own token.
 */
type Movement = {
  amount: bigint;
  direction: "in" | "out" | "within";
  decimals: number;
  token: string;
  /** By what the stored amount is multiplied when it is shown. */
  scale?: number | undefined;
  /** Who lost and who gained the most; null for a mint, a burn, or where the transaction does not show it. */
  from: string | null;
  to: string | null;
};

/** A change of the balance of a holder. */
type Gain = { holder: string; gain: bigint };

/** Returns one reading for each transaction that moved the token, from the balances before and after it. */
export function solanaTransfers(filter: TransferFilter, activity: Activity, subject: Subject): Reading[] {
  const all = [...activity.calls, ...(activity.nearby ?? [])].sort((a, b) => a.tx_index - b.tx_index);
  return all.flatMap((call) => {
    const movement = call.solana?.is_success ? movementIn(call.solana, filter, subject) : undefined;
    if (!movement) return [];
    const { amount, direction, token, from, to, scale } = movement;
    const size = toUnits(amount, movement.decimals) * (scale ?? 1);
    const matchesDirection = filter.direction === "any" || filter.direction === direction;
    if (!matchesDirection || size < filter.min_amount) return [];
    const scaled = scale === undefined ? {} : { stored: toUnits(amount, movement.decimals), scale };
    return [callReading(call, size, { direction, amount, ...scaled, token, from, to, sender: call.from })];
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
    const gains = tx.balances.map((balance) => ({
      holder: balance.address,
      gain: nativeChange(tx, balance.address),
    }));
    return toMovement(address, gains, { decimals, token: chain.native_currency.symbol });
  }
  const mint = token ?? address;
  const changes = tx.token_balances.filter((tokenChange) => tokenChange.mint === mint);
  const [first] = changes;
  if (!first) return undefined;
  const { decimals, scale } = first;
  if (mint === address) {
    const received = sum(changes.map(({ before, after }) => (after > before ? after - before : 0n)));
    const sent = sum(changes.map(({ before, after }) => (before > after ? before - after : 0n)));
    // A mint only increases balances and a burn only decreases them, so the larger sum is the amount.
    const amount = received > sent ? received : sent;
    const parties = partiesOf(gainsOf(changes, subject));
    return { amount, direction: "within", decimals, scale, token: mint, ...parties };
  }
  const movement = toMovement(address, gainsOf(changes, subject), { decimals, scale, token: mint });
  return movement && mint === wrappedSol ? withWrapping(movement, tx, changes) : movement;
}

const wrappedSol = "So11111111111111111111111111111111111111112";

/** SOL that is wrapped or unwrapped has the one who paid or got it on the other side, who need not hold the token. */
function withWrapping(movement: Movement, tx: SolanaTransaction, changes: readonly TokenChange[]): Movement {
  const tokenAccounts = new Set(changes.map(({ account }) => account));
  const others = tx.balances
    .filter(({ address }) => !tokenAccounts.has(address))
    .map(({ address }) => ({ holder: address, gain: nativeChange(tx, address) }));
  const { from, to } = partiesOf(others);
  return { ...movement, from: movement.from ?? from, to: movement.to ?? to };
}

/** What each owner gained. A token account that is monitored itself is its own holder, and a program that of its vaults. */
function gainsOf(changes: readonly TokenChange[], { address, tokenAccounts }: Subject): Gain[] {
  const gains = new Map<string, bigint>();
  const vaultOwners = new Map(
    tokenAccounts?.map((tokenAccount) => [tokenAccount.account, tokenAccount.owner]),
  );
  const isReassigned = changes.filter(({ account }) => account === address).length > 1;
  for (const { account, owner, before, after } of changes) {
    // A vault or a monitored token account that is given to another owner is a transfer to it of what it held.
    const isOwn =
      account === address
        ? !isReassigned || before > 0n
        : owner !== null && vaultOwners.get(account) === owner;
    const holder = isOwn ? address : (owner ?? account);
    gains.set(holder, (gains.get(holder) ?? 0n) + after - before);
  }
  return [...gains].map(([holder, gain]) => ({ holder, gain }));
}

function partiesOf(gains: readonly Gain[]): { from: string | null; to: string | null } {
  const sorted = gains.toSorted((a, b) => (a.gain < b.gain ? -1 : 1));
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  return {
    from: lowest && lowest.gain < 0n ? lowest.holder : null,
    to: highest && highest.gain > 0n ? highest.holder : null,
  };
}

/** The transaction fee is not a transfer, so it is added back. */
function nativeChange({ balances, fee_payer, fee }: SolanaTransaction, address: string): bigint {
  const balance = balances.find((balance) => balance.address === address);
  if (!balance) return 0n;
  return balance.after - balance.before + (fee_payer === address ? fee : 0n);
}

function toMovement(
  address: string,
  gains: readonly Gain[],
  { decimals, scale, token }: Pick<Movement, "decimals" | "scale" | "token">,
): Movement | undefined {
  const change = sum(gains.filter(({ holder }) => holder === address).map(({ gain }) => gain));
  if (change === 0n) return undefined;
  const { from, to } = partiesOf(gains.filter(({ holder }) => holder !== address));
  return change > 0n
    ? { amount: change, direction: "in", decimals, scale, token, from, to: address }
    : { amount: -change, direction: "out", decimals, scale, token, from: address, to };
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
