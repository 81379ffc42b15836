import type { App } from "../app.ts";

/** Something that happens on a clock, or at once when its topic is hinted on the bus. Any number of processes may run it. */
export type Job = {
  name: string;
  everyMs: number;
  /** A hint on this topic runs the job without waiting for the clock. */
  wakeOn?: string;
  /** Does what is due and says whether more may be due at once. Work that fails stays in the database and is found again. */
  run(app: App): Promise<{ hasMore: boolean }>;
};
