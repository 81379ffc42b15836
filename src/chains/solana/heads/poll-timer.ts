import type { Clock } from "../../../lib/clock.ts";
import type { OpenAnnouncer } from "./announcer.ts";
import type { SolanaPolling } from "./polling.ts";

/** Waits until the next poll: when activity was announced, or after an interval. */
export type PollTimer = {
  watch(addresses: ReadonlySet<string>): void;
  /** Begins a poll. Returns which addresses have to be listed. */
  begin(): (address: string) => boolean;
  wait(signal: AbortSignal): Promise<void>;
  close(): void;
};

export type PollTimerOptions = {
  announcers: readonly OpenAnnouncer[];
  clock: Clock;
  onHint?: ((poll: () => void) => () => void) | undefined;
  polling: SolanaPolling;
};

/** An announced transaction may not be listed yet, so some more polls list its address. */
const pollsPerHint = 3;

export function makePollTimer({ announcers, clock, onHint, polling }: PollTimerOptions): PollTimer {
  const closing = new AbortController();
  const nowMs = () => clock.now().getTime();
  let addresses: ReadonlySet<string> = new Set();
  /** The polls that are left for each announced address. */
  const hints = new Map<string, number>();
  /** The polls that are left for announcements without an address. */
  let hintsForAll = 0;
  let lastPollMs = 0;
  let nextFullMs = 0;
  let woken = new AbortController();

  const announce = (address: string | undefined) => {
    if (address === undefined) hintsForAll = pollsPerHint;
    else if (addresses.has(address)) hints.set(address, pollsPerHint);
    else return;
    woken.abort();
    woken = new AbortController();
  };
  const stopHints = onHint?.(() => announce(undefined));
  const opened = announcers.map((open) => open({ signal: closing.signal, onActivity: announce }));

  /** Counts a poll for what was announced. */
  function useHints(): ReadonlySet<string> {
    const used = new Set(hints.keys());
    hintsForAll = Math.max(0, hintsForAll - 1);
    for (const [address, left] of hints) {
      if (left > 1) hints.set(address, left - 1);
      else hints.delete(address);
    }
    return used;
  }

  return {
    watch(now) {
      const isSame = now.size === addresses.size && [...now].every((address) => addresses.has(address));
      addresses = now;
      polling.watch(now.size);
      if (!isSame) for (const announcer of opened) announcer.watch(now);
    },
    begin() {
      const isFull = hintsForAll > 0 || hints.size === 0 || nowMs() >= nextFullMs;
      const announced = useHints();
      lastPollMs = nowMs();
      if (isFull) {
        nextFullMs = 0;
        return () => true;
      }
      // Transactions of other addresses are announced as well. If one was not, the next full poll finds it.
      return (address) => announced.has(address) || !opened.some((announcer) => announcer.covers(address));
    },
    async wait(signal) {
      const pauseMs = polling.nextPauseMs();
      if (nextFullMs === 0) nextFullMs = nowMs() + pauseMs;
      const stop = AbortSignal.any([signal, closing.signal]);
      for (let leftMs = nextFullMs - nowMs(); leftMs > 0 && !stop.aborted; leftMs = nextFullMs - nowMs()) {
        const hintMs = hintsForAll > 0 || hints.size > 0 ? polling.hintPauseMs() : undefined;
        const hintedInMs = hintMs === undefined ? leftMs : lastPollMs + hintMs - nowMs();
        if (hintedInMs <= 0) return;
        const ends = hintMs === undefined ? AbortSignal.any([stop, woken.signal]) : stop;
        await clock.sleep(Math.min(leftMs, hintedInMs), ends);
      }
    },
    close() {
      stopHints?.();
      closing.abort();
    },
  };
}
