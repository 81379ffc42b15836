import { detectAnomalies } from "../domain/analytics/detect-anomalies.ts";
import type { Job } from "./job.ts";

/** Looks for what is unusual, whether or not a rule watches for it. */
export const findAnomalies: Job = {
  name: "find-anomalies",
  everyMs: 60_000,
  run: detectAnomalies,
};
