import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import type { BlockRef, ChainReader } from "../../reader.ts";
import type { Polling } from "./polling.ts";
import { type Announcement, subscribeToHeads } from "./socket-heads.ts";

/** Waits until the head should be polled: when a websocket announces a block, or after an interval. */
export type HeadWatcher = {
  wait: ChainReader["waitForHead"];
  /** Sentences for the operator about websockets that announce nothing. */
  problems(): string[];
  close(): void;
};

export type HeadWatcherOptions = {
  socketUrls: readonly string[];
  blockTimeMs: number;
  /** False for a development chain, on which a websocket may be silent. */
  alwaysProducesBlocks: boolean;
  polling: Polling;
  clock: Clock;
  log?: Log | undefined;
  /** Receives the URL of a websocket whenever it is subscribed to. */
  onSubscribe?: ((url: string) => void) | undefined;
};

export function makeHeadWatcher({
  socketUrls,
  blockTimeMs,
  alwaysProducesBlocks,
  polling,
  clock,
  log,
  onSubscribe,
}: HeadWatcherOptions): HeadWatcher {
  const closing = new AbortController();
  const pollMs = clamp(250, blockTimeMs / 2, 5000);
  // With a live socket, polling is only a safeguard against a head that the socket missed.
  const relaxedPollMs = clamp(2000, 4 * blockTimeMs, 15_000);
  const maxSilenceMs = clamp(20_000, 10 * blockTimeMs, 120_000);
  const liveSockets = new Set<string>();
  const lost = new Map<string, "closed" | "silent">();
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
      onSubscribe: () => onSubscribe?.(url),
      onHead(head) {
        liveSockets.add(url);
        lost.delete(url);
        announced = head;
        hasAnnouncement = true;
        if (polling.wakesOnHeads()) wake();
      },
      // Sleepers that relied on the socket must poll again.
      onLost(why) {
        if (why === "closed" || alwaysProducesBlocks) lost.set(url, why);
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
    problems: () =>
      [...lost].map(([url, why]) => {
        const socket = `Websocket ${socketUrls.indexOf(url) + 1} of ${socketUrls.length}`;
        const what = why === "closed" ? "is closed or cannot be reached" : "announces no new blocks";
        return `${socket} ${what}, so new blocks are found by polling only.`;
      }),
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
