import { retryPolicies } from "../domain/alerts/policies/retry-policies.ts";
import type { Job } from "./job.ts";

/** Applies policies to contracts for which there was no quota left before. */
export const retryPoliciesJob: Job = {
  name: "retry-policies",
  everyMs: 60_000,
  async run(app) {
    await retryPolicies(app);
    return { hasMore: false };
  },
};
