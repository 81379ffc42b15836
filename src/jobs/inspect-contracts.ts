import { inspectDue } from "../domain/inspection/inspect-due.ts";
import type { Job } from "./job.ts";

/** Inspects new contracts in the background: type, implementation and ABI. */
export const inspectContracts: Job = {
  name: "inspect-contracts",
  everyMs: 15_000,
  wakeOn: "watch.changed",
  // While the last inspections of a run end, another run has begun.
  lanes: 2,
  run: inspectDue,
};
