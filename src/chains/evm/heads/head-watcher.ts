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
  const pollMs = clamp(250, blockTimeMs / 2, 5000);
  // A socket that works makes looking needless; but one that lost a head must not be believed for long.
  const relaxedPollMs = clamp(2000, 4 * blockTimeMs, 15_000);
  const maxSilenceMs = clamp(20_000, 10 * blockTimeMs, 120_000);
  const liveSockets = new Set<string>();
  const sleepers = new Set<() => void>();
  let announced: Announcement | undefined;
  let hasAnnouncement = false;

  function wake(): void {
    for (const done of sleepers) done();
    sleepers.clear();
  }

  for (const url of socketUrls) {
    subscribeToHeads(url, {
      clock,
      log,
      maxSilenceMs,
      signal: closing.signal,
      onHead(head) {
        liveSockets.add(url);
        announced = head;
        hasAnnouncement = true;
        wake();
      },
      // Whoever rests on the socket has to go back to looking for themselves.
      onLost() {
        if (liveSockets.delete(url)) wake();
      },
    });
  }

  function pauseFor(known: BlockRef): number {
    // What was announced and is not seen yet will be there any moment.
    const isAhead = announced !== undefined && announced.height > known.height;
    return liveSockets.size > 0 && !isAhead ? relaxedPollMs : pollMs;
  }

  return {
    async wait(known, signal) {
      // An announcement wakes once: the endpoints may take a while to show it.
      const isKnown = announced?.hash === known.hash;
      if (hasAnnouncement && !isKnown) hasAnnouncement = false;
      else await sleepUntilWoken(pauseFor(known), signal);
      hasAnnouncement = false;
    },
    close() {
      closing.abort();
      wake();
    },
  };

  async function sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const done = () => woken.abort();
    sleepers.add(done);
    await clock.sleep(ms, AbortSignal.any([signal, closing.signal, woken.signal]));
    sleepers.delete(done);
  }
}

function clamp(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
