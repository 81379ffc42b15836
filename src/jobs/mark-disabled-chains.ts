import { markDisabledChains } from "../domain/contracts/disabled-chains.ts";
import type { Job } from "./job.ts";

/** Shows on contracts that their chain is disabled. */
export const markDisabledChainsJob: Job = {
  name: "mark-disabled-chains",
  everyMs: 60_000,
  run: (app) => markDisabledChains(app),
};
