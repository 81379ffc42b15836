import { applyPoliciesJob } from "../../../src/jobs/apply-policies.ts";
import { retryPoliciesJob } from "../../../src/jobs/retry-policies.ts";
import type { Policy } from "../../../src/wire/alerts/policies.ts";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import type { Harness, Person } from "../../support/harness.ts";
import { addContract } from "../contracts/contract-steps.ts";

let policies = 0;

/** A policy for contracts with the label `treasury`. */
export function policyBody(more: object = {}) {
  return {
    name: `Policy ${++policies}`,
    selector: { labels: ["treasury"] },
    target: { target_type: "tx_rate" },
    rule: { severity: "critical", condition: { operator: "gt", threshold: 1 }, record_only: true },
    ...more,
  };
}

export async function addPolicy({ client }: Person, more: object = {}): Promise<Policy> {
  const { status, body, text } = await client.post("/policies", policyBody(more));
  if (status !== 201) throw new Error(`${status} ${text}`);
  return body as Policy;
}

export async function getPolicy({ client }: Person, id: string): Promise<Policy> {
  return (await client.get(`/policies/${id}`)).body as Policy;
}

export async function addLabelled(owner: Person, value = "treasury", more: object = {}): Promise<Contract> {
  const contract = await addContract(owner, more);
  await addLabel(owner, contract.id, value);
  return contract;
}

/** Adds a label and returns its id. */
export async function addLabel({ client }: Person, contract_id: string, value: string): Promise<string> {
  return ((await client.post(`/contracts/${contract_id}/labels`, { value })).body as { id: string }).id;
}

export async function rulesOn({ client }: Person, contract_id?: string): Promise<Rule[]> {
  return (await client.get("/alerts", { query: contract_id ? { contract_id } : {} })).body as Rule[];
}

export async function targetsOn({ client }: Person, contract_id: string): Promise<Target[]> {
  return (await client.get(`/contracts/${contract_id}/targets`)).body as Target[];
}

/** Runs the jobs of policies until nothing is due. */
export async function settle({ app }: Harness): Promise<void> {
  await retryPoliciesJob.run(app);
  while ((await applyPoliciesJob.run(app)).hasMore);
}
