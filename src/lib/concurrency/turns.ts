import { currentOwner } from "./current-owner.ts";

/** The service itself, whose computations have no owner. */
const service = "";
/**
 * The pause before a computation of an owner continues, in which others get several replies of the database. It is longer for an
 * owner that has several at the same time: it may wait, and others must not.
 */
const restMs = 2;
const longRestMs = 8;

/** Computations that wait to continue, by owner in the order of their turns. */
const waiting = new Map<string, (() => void)[]>();
let isScheduled = false;

/**
 * Resolves in a later iteration of the event loop. One computation of the process continues in each iteration, and owners have
 * their turns one after the other: computations at the same time delay other work no longer than a single one does.
 */
export function nextTurn(owner = currentOwner() ?? service): Promise<void> {
  return new Promise((resolve) => {
    const line = waiting.get(owner) ?? [];
    waiting.set(owner, line);
    line.push(resolve);
    if (!isScheduled) schedule();
  });
}

function schedule(lastOwner?: string): void {
  const [owner] = waiting.keys();
  isScheduled = owner !== undefined;
  if (owner === service) setImmediate(continueOne);
  else if (isScheduled) setTimeout(continueOne, owner === lastOwner ? longRestMs : restMs);
}

function continueOne(): void {
  const [owner = service, line = []] = waiting.entries().next().value ?? [];
  const resume = line.shift();
  waiting.delete(owner);
  if (line.length > 0) waiting.set(owner, line);
  schedule(owner);
  resume?.();
}
