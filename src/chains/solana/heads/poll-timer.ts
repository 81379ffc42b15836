import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import type { CallBudget } from "../../rpc/call-budget.ts";
import { subscribeToLogs } from "./log-socket.ts";

/** Waits until the next poll: when activity was announced, or after an interval. */
export type PollTimer = {
  watch(addresses: ReadonlySet<string>): void;
  wait(signal: AbortSignal): Promise<void>;
  close(): void;
};

export type PollTimerOptions = {
  socketUrls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  onHint?: ((poll: () => void) => () => void) | undefined;
  /** The least time between polls: a budget of calls, and the interval that the operator chose. */
  budget?: CallBudget | undefined;
  pollMs?: number | undefined;
};

/** A poll lists every address, so the interval grows with their number. */
const minPollMs = 1_000;
const msPerAddress = 25;
/** An announced transaction may not be listed yet, so a few quick polls follow. */
const quickPollMs = 300;
const quickPolls = 4;

export function makePollTimer(options: PollTimerOptions): PollTimer {
  const { socketUrls, clock, log, onHint, budget, pollMs = minPollMs } = options;
  const closing = new AbortController();
  const sleepers = new Set<() => void>();
  let addresses: ReadonlySet<string> = new Set();
  let quickPollsLeft = 0;
  const poll = () => {
    quickPollsLeft = quickPolls;
    for (const done of sleepers) done();
    sleepers.clear();
  };
  const stopHints = onHint?.(poll);
  const sockets = socketUrls.map((url) =>
    subscribeToLogs(url, { clock, log, signal: closing.signal, onLog: poll }),
  );

  return {
    watch(now) {
      const isSame = now.size === addresses.size && [...now].every((address) => addresses.has(address));
      addresses = now;
      if (!isSame) for (const socket of sockets) socket.watch(now);
    },
    async wait(signal) {
      const plannedMs = quickPollsLeft > 0 ? quickPollMs : Math.max(pollMs, addresses.size * msPerAddress);
      const ms = Math.max(plannedMs, budget?.waitMs() ?? 0);
      const isFirst = quickPollsLeft === quickPolls;
      quickPollsLeft = Math.max(0, quickPollsLeft - 1);
      // The first poll after an announcement does not wait.
      if (isFirst && ms === plannedMs) return;
      const woken = new AbortController();
      const done = () => woken.abort();
      sleepers.add(done);
      await clock.sleep(ms, AbortSignal.any([signal, closing.signal, woken.signal]));
      sleepers.delete(done);
    },
    close() {
      stopHints?.();
      closing.abort();
    },
  };
}
