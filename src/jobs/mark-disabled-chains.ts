import { markDisabledChains } from "../domain/contracts/disabled-chains.ts";
import type { Job } from "./job.ts";

/** A contract on a chain that is off says so: nothing is silently dead. */
export const markDisabledChainsJob: Job = {
  name: "settle-switched-off",
  everyMs: 60_000,
  run: (app) => markDisabledChains(app),
};
