import { detectAnomalies } from "../domain/analytics/detect-anomalies.ts";
import type { Job } from "./job.ts";

/** Detects anomalies on all targets, with or without a rule. */
export const findAnomalies: Job = {
  name: "find-anomalies",
  everyMs: 60_000,
  run: detectAnomalies,
};
