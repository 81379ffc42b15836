import { inspectDue } from "../domain/inspection/background-inspection.ts";
import type { Job } from "./job.ts";

/** Fills in what new contracts are: their kind, their code and their ABI. Making a contract never waits for it. */
export const inspectContracts: Job = {
  name: "inspect-contracts",
  everyMs: 15_000,
  wakeOn: "watch.changed",
  run: inspectDue,
};
