import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { subscribeToLogs } from "./log-socket.ts";

/** Tells when to look again: when something was announced, or when it is time anyway. */
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
};

/** A look asks about every address, so that many of them are looked at less often. */
const minPollMs = 1_000;
const msPerAddress = 25;
/** What was announced may not be listed yet: a few looks follow each other quickly. */
const quickPollMs = 300;
const quickPolls = 4;

export function makePollTimer({ socketUrls, clock, log, onHint }: PollTimerOptions): PollTimer {
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
      const ms = quickPollsLeft > 0 ? quickPollMs : Math.max(minPollMs, addresses.size * msPerAddress);
      const isFirst = quickPollsLeft === quickPolls;
      quickPollsLeft = Math.max(0, quickPollsLeft - 1);
      // What was announced since the last look is looked at without waiting.
      if (isFirst) return;
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
