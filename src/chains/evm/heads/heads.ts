import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { BlockRef, ChainReader } from "../../reader.ts";
import { type Announcement, subscribeToHeads } from "./socket-heads.ts";

/** Tells when to look for a new head: when a websocket announces one, or when it is time to look anyway. */
export type HeadWatcher = { wait: ChainReader["waitForHead"]; close(): void };

export type HeadWatcherOptions = {
  socketUrls: readonly string[];
  blockTimeMs: number;
  clock: Clock;
  log?: Log | undefined;
};

export function makeHeadWatcher({ socketUrls, blockTimeMs, clock, log }: HeadWatcherOptions): HeadWatcher {
  const closing = new AbortController();
  const pollMs = between(250, blockTimeMs / 2, 5000);
  // A socket that works makes looking needless; but one that lost a head must not be believed for long.
  const restMs = between(2000, 4 * blockTimeMs, 15_000);
  const maxSilenceMs = between(20_000, 10 * blockTimeMs, 120_000);
  const live = new Set<string>();
  const waiting = new Set<() => void>();
  let newest: Announcement | undefined;
  let isNews = false;

  function wake(): void {
    for (const done of waiting) done();
    waiting.clear();
  }

  for (const url of socketUrls) {
    subscribeToHeads(url, {
      clock,
      log,
      maxSilenceMs,
      signal: closing.signal,
      onHead(head) {
        live.add(url);
        newest = head;
        isNews = true;
        wake();
      },
      // Whoever rests on the socket has to go back to looking for themselves.
      onLost() {
        if (live.delete(url)) wake();
      },
    });
  }

  function restFor(seen: BlockRef): number {
    // What was announced and is not seen yet will be there any moment.
    const isAhead = newest !== undefined && newest.height > seen.height;
    return live.size > 0 && !isAhead ? restMs : pollMs;
  }

  return {
    async wait(seen, signal) {
      // An announcement wakes once: the endpoints may take a while to show it.
      const isKnown = newest?.hash === seen.hash;
      if (isNews && !isKnown) isNews = false;
      else await sleepUntilWoken(restFor(seen), signal);
      isNews = false;
    },
    close() {
      closing.abort();
      wake();
    },
  };

  async function sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const done = () => woken.abort();
    waiting.add(done);
    await clock.sleep(ms, AbortSignal.any([signal, closing.signal, woken.signal]));
    waiting.delete(done);
  }
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
