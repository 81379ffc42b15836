import type { App } from "../app.ts";
import { type PollResult, runPollLoop } from "../lib/concurrency/poll-loop.ts";
import type { Job } from "./job.ts";

/** Runs jobs until stopped. Stopping waits for the runs in progress. */
export function runJobs(app: App, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = jobs.flatMap((job) =>
    Array.from({ length: job.lanes ?? 1 }, () => runJob(app, job, stopping.signal)),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** A failed run is logged and counted; the next one finds the same work. */
function runJob(app: App, job: Job, signal: AbortSignal): Promise<void> {
  const { clock, bus } = app;
  const wakeOn = job.wakeOn === undefined ? undefined : { bus, topic: job.wakeOn };
  const onError = (error: unknown) => {
    app.metrics.jobRuns.inc({ job: job.name, outcome: "failed" });
    app.log.warn({ err: error, job: job.name }, "job failed, will retry at its next run");
  };
  return runPollLoop({ clock, signal, intervalMs: job.everyMs, wakeOn, onError }, async () => {
    const result: PollResult = await job.run(app);
    app.metrics.jobRuns.inc({ job: job.name, outcome: "ok" });
    return result;
  });
}
