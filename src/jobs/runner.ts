import type { App } from "../app.ts";
import type { Job } from "./job.ts";

/** Runs jobs until stopped. Stopping waits for what is running. */
export function runJobs(app: App, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(app, job, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function loop(app: App, job: Job, stopping: AbortSignal): Promise<void> {
  let wake = new AbortController();
  const unsubscribe = job.wakeOn ? app.bus.subscribe(job.wakeOn, () => wake.abort()) : () => undefined;
  while (!stopping.aborted) {
    // Renewed before the run: a hint that comes while it runs must cause another.
    wake = new AbortController();
    const { hasMore } = await runOnce(app, job);
    if (!hasMore) await app.clock.sleep(job.everyMs, AbortSignal.any([stopping, wake.signal]));
  }
  unsubscribe();
}

/** A failed run is logged and counted; the next one finds the same work. */
async function runOnce(app: App, job: Job): Promise<{ hasMore: boolean }> {
  try {
    const result = await job.run(app);
    app.metrics.jobRuns.inc({ job: job.name, outcome: "ok" });
    return result;
  } catch (error) {
    app.metrics.jobRuns.inc({ job: job.name, outcome: "failed" });
    app.log.warn({ err: error, job: job.name }, "a job failed and will run again");
    return { hasMore: false };
  }
}
