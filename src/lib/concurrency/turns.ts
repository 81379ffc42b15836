import { currentOwner } from "./current-owner.ts";

/** The service itself, whose computations have no owner. */
const service = "";
/**
 * The pause before a computation of an owner continues, in which others get several replies of the database. It is longer for an
 * owner that has several at the same time: it may wait, and others must not.
 */
const restMs = 2;
const longRestMs = 8;

/** Computations of the service that wait to continue, and those of owners in the order of their turns. */
const ofService: (() => void)[] = [];
const waiting = new Map<string, (() => void)[]>();
let timer: { handle: NodeJS.Timeout; isLong: boolean } | undefined;

/**
 * Resolves in a later iteration of the event loop. One computation of the service and one of the owners continue at a time, and owners
 * have their turns one after the other: computations at the same time delay other work no longer than a single one does. The service
 * does not wait for the pauses of owners.
 */
export function nextTurn(owner = currentOwner() ?? service): Promise<void> {
  return new Promise((resolve) => (owner === service ? enqueueForService(resolve) : enqueue(owner, resolve)));
}

function enqueueForService(resolve: () => void): void {
  ofService.push(resolve);
  if (ofService.length === 1) setImmediate(continueService);
}

function continueService(): void {
  const resume = ofService.shift();
  if (ofService.length > 0) setImmediate(continueService);
  resume?.();
}

function enqueue(owner: string, resolve: () => void): void {
  const line = waiting.get(owner) ?? [];
  line.push(resolve);
  waiting.set(owner, line);
  if (!timer) schedule();
  else if (timer.isLong && line.length === 1) endLongRest();
}

/** An owner who comes now does not wait for the long rest of the only other one. */
function endLongRest(): void {
  clearTimeout(timer?.handle);
  const [resting] = waiting;
  if (resting) waiting.delete(resting[0]);
  if (resting) waiting.set(...resting);
  schedule();
}

function schedule(lastOwner?: string): void {
  const [owner] = waiting.keys();
  const isLong = owner === lastOwner;
  timer =
    owner === undefined
      ? undefined
      : { handle: setTimeout(continueOne, isLong ? longRestMs : restMs), isLong };
}

function continueOne(): void {
  const [owner = service, line = []] = waiting.entries().next().value ?? [];
  const resume = line.shift();
  waiting.delete(owner);
  if (line.length > 0) waiting.set(owner, line);
  schedule(owner);
  resume?.();
}
