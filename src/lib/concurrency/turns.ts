import { currentOwner } from "./current-owner.ts";

/** Computations that wait to continue, by owner in the order of their turns. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Resolves in a later iteration of the event loop. One computation of the process continues in each iteration, and owners have
 * their turns one after the other: computations at the same time delay other work no longer than a single one does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const owner = currentOwner() ?? "";
    const line = waiting.get(owner) ?? [];
    waiting.set(owner, line);
    line.push(resolve);
    if (!isScheduled) setImmediate(continueOne);
    isScheduled = true;
  });
}

function continueOne(): void {
  const [owner = "", line = []] = waiting.entries().next().value ?? [];
  const resume = line.shift();
  waiting.delete(owner);
  if (line.length > 0) waiting.set(owner, line);
  isScheduled = waiting.size > 0;
  if (isScheduled) setImmediate(continueOne);
  resume?.();
}
