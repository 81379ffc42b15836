import { AsyncLocalStorage } from "node:async_hooks";

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work that should stop when the signal is aborted, because nobody waits for its result any more. */
export function runUntilAbandoned<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return signals.run(signal, work);
}

/** Throws the reason of the signal if the current work was abandoned. Long work calls it between its steps. */
export function throwIfAbandoned(): void {
  signals.getStore()?.throwIfAborted();
}
