import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import type { BlockRef, ChainReader } from "../../reader.ts";
import type { Polling } from "./polling.ts";
import { type Announcement, subscribeToHeads } from "./socket-heads.ts";

/** Waits until the head should be polled: when a websocket announces a block, or after an interval. */
export type HeadWatcher = { wait: ChainReader["waitForHead"]; close(): void };

export type HeadWatcherOptions = {
  socketUrls: readonly string[];
  blockTimeMs: number;
  polling: Polling;
  clock: Clock;
  log?: Log | undefined;
};

export function makeHeadWatcher({
  socketUrls,
  blockTimeMs,
  polling,
  clock,
  log,
}: HeadWatcherOptions): HeadWatcher {
  const closing = new AbortController();
  const pollMs = clamp(250, blockTimeMs / 2, 5000);
  // With a live socket, polling is only a safeguard against a head that the socket missed.
  const relaxedPollMs = clamp(2000, 4 * blockTimeMs, 15_000);
  const maxSilenceMs = clamp(20_000, 10 * blockTimeMs, 120_000);
  const liveSockets = new Set<string>();
  const sleepers = new Set<() => void>();
  let announced: Announcement | undefined;
  let hasAnnouncement = false;
  let lastKnown = "";

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
        if (polling.wakesOnHeads()) wake();
      },
      // Sleepers that relied on the socket must poll again.
      onLost() {
        if (liveSockets.delete(url)) wake();
      },
    });
  }

  function pauseFor(known: BlockRef): number {
    const plannedMs = polling.nextPauseMs(known.hash !== lastKnown);
    lastKnown = known.hash;
    if (liveSockets.size === 0 || !polling.wakesOnHeads()) return plannedMs;
    // A head that was announced but not fetched yet will be available soon.
    const isAhead = announced !== undefined && announced.height > known.height;
    return isAhead ? pollMs : Math.max(plannedMs, relaxedPollMs);
  }

  return {
    async wait(known, signal) {
      // An announcement wakes only once, because the endpoints may take a while to return the block.
      const isKnown = announced?.hash === known.hash;
      const pauseMs = pauseFor(known);
      if (hasAnnouncement && !isKnown && polling.wakesOnHeads()) hasAnnouncement = false;
      else await sleepUntilWoken(pauseMs, signal);
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
