import { expect, test } from "vitest";
import { applyPolicies } from "../../../src/domain/alerts/policies/run-policies.ts";
import { harness } from "../../support/harness.ts";
import { addContract, addTarget, ruleBody } from "../contracts/contract-steps.ts";
import { addPolicy, getPolicy, policyBody, rulesOn, settle, targetsOn } from "./policy-steps.ts";

const h = await harness();

test("rules of policies and of people share the quota, also when they are added at the same time", async () => {
  const ada = await h.personOn("free");
  const contracts = [];
  for (let i = 0; i < 5; i++) contracts.push(await addContract(ada));
  const target = await addTarget(ada, contracts[0]?.id ?? "", { target_type: "unique_callers" });
  for (let i = 0; i < 3; i++) await addPolicy(ada, { selector: {} });
  const people = Array.from({ length: 6 }, () => ada.client.post("/alerts", ruleBody(target.id)));
  const jobs = Array.from({ length: 3 }, async () => {
    while ((await applyPolicies(h.app)).hasMore);
  });
  const replies = await Promise.all([...people, ...jobs]);
  await settle(h);
  const addedCount = replies.filter((reply) => reply?.status === 200).length;
  const rules = await rulesOn(ada);
  expect(rules).toHaveLength(10);
  expect(rules.filter(({ policy_id }) => policy_id)).toHaveLength(10 - addedCount);
  const policies = (await ada.client.get("/policies")).body as Awaited<ReturnType<typeof getPolicy>>[];
  const sum = (field: "matched" | "applied" | "failed" | "pending") =>
    policies.reduce((total, { progress }) => total + progress[field], 0);
  expect([sum("matched"), sum("applied"), sum("failed"), sum("pending")]).toEqual([
    15,
    10 - addedCount,
    5 + addedCount,
    0,
  ]);
  const failures = policies.flatMap(({ progress }) => progress.failures);
  expect(failures).toHaveLength(5 + addedCount);
  for (const { code, reason } of failures)
    expect([code, reason]).toEqual(["rule_quota_exceeded", "The Free tier allows 10 alert rules."]);
  expect(
    policies.some(
      ({ status, status_reason }) => status === "incomplete" && status_reason?.includes("10 alert rules"),
    ),
  ).toBe(true);

  await h.setTier(ada.org_id, "pro");
  await settle(h);
  expect(await rulesOn(ada)).toHaveLength(15 + addedCount);
  for (const { id } of policies)
    expect(await getPolicy(ada, id)).toMatchObject({
      status: "applied",
      progress: { applied: 5, failed: 0 },
    });
});

test("a contract with as many targets as the tier allows is reported, and gets the rule when one is deleted", async () => {
  const ada = await h.personOn("free");
  const contract = await addContract(ada);
  const types = ["unique_callers", "revert_rate", "inactivity", "native_balance", "gas_usage"];
  for (const target_type of types) await addTarget(ada, contract.id, { target_type });
  const policy = await addPolicy(ada, policyBody({ selector: {} }));
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({
    status: "incomplete",
    progress: { failed: 1, failures: [{ code: "target_quota_exceeded", contract_id: contract.id }] },
  });
  const [first] = await targetsOn(ada, contract.id);
  await ada.client.delete(`/targets/${first?.id}`);
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress: { applied: 1 } });
});

test("an organisation with many policies on a contract has its turn after fewer contracts", async () => {
  const busy = await h.personOn("enterprise");
  for (let added = 0; added < 4; added++) await addContract(busy);
  for (let added = 0; added < 4; added++) await addPolicy(busy, { selector: {} });
  await applyPolicies(h.app, 10);
  // A contract with four policies takes five steps.
  const policies = (await busy.client.get("/policies")).body as Awaited<ReturnType<typeof getPolicy>>[];
  expect(policies.map(({ progress }) => progress.pending)).toEqual([2, 2, 2, 2]);
  await settle(h);
  expect(await rulesOn(busy)).toHaveLength(16);
});
