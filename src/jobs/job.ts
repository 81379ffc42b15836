import type { App } from "../app.ts";

/** Work that runs at intervals, or at once after a hint on the bus. Any number of processes may run it concurrently. */
export type Job = {
  name: string;
  everyMs: number;
  /** A hint on this topic runs the job without waiting for the interval. */
  wakeOn?: string;
  /** The runs that may be in progress at once in a process; one unless it is set. */
  lanes?: number;
  /** Does the due work and returns whether more is due at once. Failed work stays in the database for the next run. */
  run(app: App): Promise<{ hasMore: boolean }>;
};
