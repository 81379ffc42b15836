import { applyPolicies } from "../domain/alerts/policies/run-policies.ts";
import type { Job } from "./job.ts";

/** Keeps the rules of policies on the contracts that match. */
export const applyPoliciesJob: Job = {
  name: "apply-policies",
  everyMs: 2_000,
  wakeOn: "policy.changed",
  run: (app) => applyPolicies(app),
};
