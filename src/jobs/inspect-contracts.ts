import { inspectDue } from "../domain/inspection/background-inspection.ts";
import type { Job } from "./job.ts";

/** Inspects new contracts in the background: type, implementation and ABI. */
export const inspectContracts: Job = {
  name: "inspect-contracts",
  everyMs: 15_000,
  wakeOn: "watch.changed",
  run: inspectDue,
};
