/** The longest time, in milliseconds, for which the event loop did nothing else. */
export type Standstill = {
  /** By the CPU time of this thread: a busy machine does not change it. */
  cpuMs: number;
  /** By the clock. */
  wallMs: number;
};

const tickMs = 5;

/** Runs work and measures how long the event loop was blocked at most. Nothing else may run in this thread meanwhile. */
export async function measureStandstill<Result>(
  work: () => Promise<Result>,
): Promise<Standstill & { result: Result }> {
  let [cpuMs, wallMs] = [0, 0];
  let before = { cpu: cpuNow(), wall: performance.now() };
  const tick = () => {
    const now = { cpu: cpuNow(), wall: performance.now() };
    cpuMs = Math.max(cpuMs, now.cpu - before.cpu);
    wallMs = Math.max(wallMs, now.wall - before.wall);
    before = now;
  };
  const timer = setInterval(tick, tickMs);
  try {
    const result = await work();
    tick();
    return { result, cpuMs, wallMs };
  } finally {
    clearInterval(timer);
  }
}

function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
