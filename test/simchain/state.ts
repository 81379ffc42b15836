import type { SimTransaction } from "./contents.ts";
import { topics } from "./contents.ts";

/** The state of a contract after a block, a pure function of its branch. */
export type SimAccount = { balance: bigint; logs: number; isPaused: boolean; implementation: string };

export type SimState = ReadonlyMap<string, SimAccount>;

const blank: SimAccount = { balance: 0n, logs: 0, isPaused: false, implementation: `0x${"0".repeat(64)}` };

export function accountOf(state: SimState, address: string): SimAccount {
  return state.get(address.toLowerCase()) ?? blank;
}

export function applyTransactions(before: SimState, transactions: readonly SimTransaction[]): SimState {
  if (transactions.length === 0) return before;
  const after = new Map(before);
  const change = (address: string, changes: Partial<SimAccount>) =>
    after.set(address.toLowerCase(), { ...accountOf(after, address), ...changes });
  for (const { to, value, is_success, logs } of transactions) {
    if (!is_success) continue;
    if (to) change(to, { balance: accountOf(after, to).balance + value });
    for (const {
      address,
      topics: [event, first],
    } of logs) {
      change(address, { logs: accountOf(after, address).logs + 1 });
      if (event === topics.paused) change(address, { isPaused: true });
      if (event === topics.unpaused) change(address, { isPaused: false });
      if (event === topics.upgraded) change(address, { implementation: first ?? blank.implementation });
    }
  }
  return after;
}
