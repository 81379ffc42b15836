import { constants, PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** The longest time, in milliseconds, for which the event loop did nothing else. */
export type Standstill = {
  /** By the CPU time of this thread: a busy machine does not change it. */
  cpuMs: number;
  /** By the clock. */
  wallMs: number;
};

const tickMs = 5;

/** The time from a turn of the event loop to the next. */
type Turn = { fromMs: number; toMs: number; cpuMs: number };
/** A full garbage collection. */
type Collection = { startTime: number; duration: number };

/**
 * Runs work and measures how long the event loop was blocked at most. Nothing else may run in this thread meanwhile. Full garbage
 * collections do not count: how long one takes depends on all that the thread has loaded for other tests.
 */
export async function measureStandstill<Result>(
  work: () => Promise<Result>,
): Promise<Standstill & { result: Result }> {
  const collections = observeCollections();
  const turns: Turn[] = [];
  let before = { cpu: cpuNow(), wall: performance.now() };
  const tick = () => {
    const now = { cpu: cpuNow(), wall: performance.now() };
    turns.push({ fromMs: before.wall, toMs: now.wall, cpuMs: now.cpu - before.cpu });
    before = now;
  };
  const timer = setInterval(tick, tickMs);
  try {
    const result = await work();
    tick();
    return { result, ...longestOf(turns, await collections.list()) };
  } finally {
    clearInterval(timer);
    collections.stop();
  }
}

function longestOf(turns: readonly Turn[], collections: readonly Collection[]): Standstill {
  let [cpuMs, wallMs] = [0, 0];
  for (const turn of turns) {
    const within = collections.filter(({ startTime }) => startTime >= turn.fromMs && startTime < turn.toMs);
    const collectedMs = within.reduce((sum, { duration }) => sum + duration, 0);
    cpuMs = Math.max(cpuMs, turn.cpuMs - collectedMs);
    wallMs = Math.max(wallMs, turn.toMs - turn.fromMs - collectedMs);
  }
  return { cpuMs, wallMs };
}

function observeCollections() {
  const seen: Collection[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) seen.push(entry);
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    async list() {
      // They are reported in the next turns.
      for (let turns = 0; turns < 3; turns++) await setImmediate();
      return seen;
    },
    stop: () => observer.disconnect(),
  };
}

/** The declarations of Node leave the details of an entry out. */
function kindOf(entry: object): number | undefined {
  return (entry as { detail?: { kind: number } }).detail?.kind;
}

function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
