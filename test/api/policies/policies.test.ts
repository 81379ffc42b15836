import { expect, test } from "vitest";
import { applyPoliciesJob } from "../../../src/jobs/apply-policies.ts";
import { harness } from "../../support/harness.ts";
import { addContract, addRule, addTarget, freshAddress, recordEvent } from "../contracts/contract-steps.ts";
import { errorReply, teamAdmin, unknownId } from "../steps.ts";
import {
  addLabel,
  addLabelled,
  addPolicy,
  getPolicy,
  policyBody,
  rulesOn,
  settle,
  targetsOn,
} from "./policy-steps.ts";

const h = await harness();
const ada = await teamAdmin(h);
await ada.client.patch(`/orgs/${ada.org_id}/settings`, { polling_interval_seconds: 60 });

test("a policy is applied to existing and later contracts that match, and says so on rule and target", async () => {
  const [first, other] = [await addLabelled(ada), await addContract(ada)];
  const policy = await addPolicy(ada);
  expect(policy).toMatchObject({ status: "applying", progress: { matched: 1, pending: 1, applied: 0 } });
  await settle(h);
  const later = await addLabelled(ada, "Treasury");
  await settle(h);
  for (const { id } of [first, later]) {
    expect(await rulesOn(ada, id)).toMatchObject([
      { name: policy.name, policy_id: policy.id, severity: "critical", record_only: true },
    ]);
    expect(await targetsOn(ada, id)).toMatchObject([{ target_type: "tx_rate", policy_id: policy.id }]);
  }
  expect(await rulesOn(ada, other.id)).toEqual([]);
  const progress = { matched: 2, applied: 2, failed: 0, pending: 0, failures: [] };
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", status_reason: null, progress });
  await ada.client.delete(`/policies/${policy.id}`);
  await settle(h);
});

test("a policy follows labels, categories and types of contracts, and ends the alerts of rules that it removes", async () => {
  const contract = await addContract(ada);
  const selector = {
    labels: ["team:ops", "hot"],
    chains: ["local"],
    categories: ["dex"],
    contract_types: ["unknown"],
  };
  const policy = await addPolicy(ada, { selector });
  const isOn = async () => {
    await settle(h);
    return (await rulesOn(ada, contract.id)).length === 1;
  };
  expect(await isOn()).toBe(false);
  await ada.client.post(`/contracts/${contract.id}/labels`, { key: "Team", value: "ops" });
  expect(await isOn()).toBe(false);
  const hot = await addLabel(ada, contract.id, "Hot");
  expect(await isOn()).toBe(false);
  await ada.client.patch(`/contracts/${contract.id}`, { category: "dex" });
  expect(await isOn()).toBe(true);
  const [rule] = await rulesOn(ada, contract.id);
  const [target] = await targetsOn(ada, contract.id);
  if (!rule || !target) throw new Error("no rule");
  const event_id = await recordEvent(h, ada.org_id, { contract, target, rule });
  await ada.client.delete(`/contracts/${contract.id}/labels/${hot}`);
  expect(await isOn()).toBe(false);
  expect(await targetsOn(ada, contract.id)).toEqual([]);
  expect((await ada.client.get(`/alerts/events/${event_id}`)).body).toMatchObject({ status: "resolved" });
  await ada.client.put(`/contracts/${contract.id}/labels`, {
    labels: [{ value: "team:ops" }, { value: "hot" }],
  });
  expect(await isOn()).toBe(true);
  await h.app.db
    .updateTable("contracts")
    .set({ contract_type: "erc20" })
    .where("id", "=", contract.id)
    .execute();
  expect(await isOn()).toBe(false);
  expect(await getPolicy(ada, policy.id)).toMatchObject({ progress: { matched: 0, pending: 0 } });
});

test("deleting or disabling a policy removes exactly what it added", async () => {
  const value = "exact";
  const [bare, measured, own] = [
    await addLabelled(ada, value),
    await addLabelled(ada, value),
    await addLabelled(ada, value),
  ];
  const before = await addTarget(ada, measured.id);
  const policy = await addPolicy(ada, { selector: { labels: [value] } });
  await settle(h);
  const [created] = await targetsOn(ada, own.id);
  const mine = await addRule(ada, created?.id ?? "");
  expect(await targetsOn(ada, own.id)).toMatchObject([{ policy_id: null }]);
  expect(await targetsOn(ada, measured.id)).toMatchObject([{ id: before.id, policy_id: null }]);

  const disabled = await ada.client.patch(`/policies/${policy.id}`, { is_enabled: false });
  expect(disabled.body).toMatchObject({ status: "disabled", progress: { matched: 0, pending: 3 } });
  await settle(h);
  const expectGone = async () => {
    expect([await rulesOn(ada, bare.id), await targetsOn(ada, bare.id)]).toEqual([[], []]);
    expect([await rulesOn(ada, measured.id), await targetsOn(ada, measured.id)]).toMatchObject([
      [],
      [{ id: before.id }],
    ]);
    expect(await rulesOn(ada, own.id)).toMatchObject([{ id: mine.id, policy_id: null }]);
    expect(await targetsOn(ada, own.id)).toMatchObject([{ id: created?.id }]);
  };
  await expectGone();
  expect((await ada.client.get(`/contracts/${bare.id}`)).body).toMatchObject({
    status: "PENDING",
    rules_count: 0,
  });

  await ada.client.patch(`/policies/${policy.id}`, { is_enabled: true });
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress: { applied: 3 } });
  expect((await ada.client.delete(`/policies/${policy.id}`)).status).toBe(200);
  expect(await ada.client.get(`/policies/${policy.id}`)).toMatchObject(errorReply(404, "not_found"));
  await settle(h);
  await expectGone();
  expect(await h.app.db.selectFrom("policies").select("id").where("id", "=", policy.id).execute()).toEqual(
    [],
  );
});

test("a target that two policies use goes with the last of them", async () => {
  const contract = await addLabelled(ada, "shared");
  const selector = { labels: ["shared"] };
  const [first, second] = [await addPolicy(ada, { selector }), await addPolicy(ada, { selector })];
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toHaveLength(2);
  const [target] = await targetsOn(ada, contract.id);
  await ada.client.delete(`/policies/${target?.policy_id}`);
  await settle(h);
  const rest = [first.id, second.id].find((id) => id !== target?.policy_id);
  expect(await targetsOn(ada, contract.id)).toMatchObject([{ id: target?.id, policy_id: rest }]);
  await ada.client.delete(`/policies/${rest}`);
  await settle(h);
  expect(await targetsOn(ada, contract.id)).toEqual([]);
});

test("rules and targets of a policy are changed only through it", async () => {
  const [contract, other] = [await addLabelled(ada, "kept"), await addLabelled(ada, "kept")];
  const own = await addTarget(ada, other.id);
  const policy = await addPolicy(ada, { name: "Kept rules", selector: { labels: ["kept"] } });
  await settle(h);
  const [rule] = await rulesOn(ada, contract.id);
  const [target] = await targetsOn(ada, contract.id);
  for (const reply of [
    await ada.client.patch(`/alerts/${rule?.id}`, { severity: "info" }),
    await ada.client.delete(`/alerts/${rule?.id}`),
    await ada.client.patch(`/targets/${target?.id}`, { name: "Mine" }),
    await ada.client.delete(`/targets/${target?.id}`),
  ]) {
    expect(reply).toMatchObject(errorReply(409, "managed_by_policy"));
    expect(reply.text).toContain("Kept rules");
  }
  expect((await ada.client.patch(`/targets/${own.id}`, { name: "Mine" })).status).toBe(200);
  for (const reply of [
    await ada.client.patch(`/targets/${own.id}`, { is_enabled: false }),
    await ada.client.patch(`/targets/${own.id}`, { config: { direction: "from" } }),
    await ada.client.delete(`/targets/${own.id}`),
  ]) {
    expect(reply).toMatchObject(errorReply(409, "target_in_use"));
    expect(reply.text).toContain("Kept rules");
  }
  await ada.client.delete(`/policies/${policy.id}`);
  const ending = await ada.client.delete(`/alerts/${rule?.id}`);
  expect(ending).toMatchObject(errorReply(409, "managed_by_policy"));
  expect(ending.text).toContain("was deleted");
  await settle(h);
});

test("an update changes the rules in place, and another target replaces them", async () => {
  const contract = await addLabelled(ada, "changing");
  const policy = await addPolicy(ada, { selector: { labels: ["changing"] } });
  await settle(h);
  const [before] = await rulesOn(ada, contract.id);
  const rule = {
    severity: "info",
    condition: { operator: "gt", threshold: 7 },
    record_only: true,
    cooldown_seconds: 60,
  };
  await ada.client.patch(`/policies/${policy.id}`, { name: "Renamed", rule });
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toMatchObject([
    {
      id: before?.id,
      name: "Renamed",
      severity: "info",
      cooldown_seconds: 60,
      condition: { threshold: 7, window_seconds: 300 },
    },
  ]);
  await ada.client.patch(`/policies/${policy.id}`, { target: { target_type: "unique_callers" } });
  await settle(h);
  expect(await targetsOn(ada, contract.id)).toMatchObject([
    { target_type: "unique_callers", policy_id: policy.id },
  ]);
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ name: "Renamed", policy_id: policy.id }]);
  const target = { target_type: "tx_rate", config: { direction: "from" } };
  await ada.client.patch(`/policies/${policy.id}`, { target });
  await settle(h);
  expect(await targetsOn(ada, contract.id)).toMatchObject([target]);
  await ada.client.patch(`/policies/${policy.id}`, { selector: { labels: ["other"] } });
  await settle(h);
  expect([await rulesOn(ada, contract.id), await targetsOn(ada, contract.id)]).toEqual([[], []]);
  await ada.client.delete(`/policies/${policy.id}`);
});

test("a policy reports the contracts that cannot have its rule, and why", async () => {
  const value = "failing";
  const abi = [{ type: "event", name: "Paid", inputs: [{ name: "amount", type: "uint256" }] }];
  const fine = await addLabelled(ada, value);
  const lacking = await addLabelled(ada, value, { abi });
  const target = { target_type: "event_frequency", config: { event_signature: "Sent(uint256)" } };
  const policy = await addPolicy(ada, { selector: { labels: [value] }, target });
  await settle(h);
  const shown = await getPolicy(ada, policy.id);
  expect(shown).toMatchObject({ status: "incomplete", progress: { matched: 2, applied: 1, failed: 1 } });
  expect(shown.progress.failures).toMatchObject([
    { contract_id: lacking.id, code: "invalid", address: lacking.address },
  ]);
  expect(shown.progress.failures[0]?.reason).toMatch(/config\.event_signature .*Paid\(uint256\)/);
  expect(shown.status_reason).toContain("1 of 2 contracts");
  expect(await targetsOn(ada, lacking.id)).toEqual([]);
  expect(await rulesOn(ada, fine.id)).toHaveLength(1);
  const sent = { type: "event", name: "Sent", inputs: [{ name: "amount", type: "uint256" }] };
  await ada.client.patch(`/contracts/${lacking.id}`, { abi: [...abi, sent] });
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress: { applied: 2 } });
  await ada.client.delete(`/policies/${policy.id}`);

  const [conflicting, disabled] = [await addLabelled(ada, "conflict"), await addLabelled(ada, "conflict")];
  await addTarget(ada, conflicting.id, { target_type: "tx_rate", config: { direction: "from" } });
  const off = await addTarget(ada, disabled.id, { target_type: "tx_rate", config: { direction: "to" } });
  await ada.client.patch(`/targets/${off.id}`, { is_enabled: false });
  const wanted = { target_type: "tx_rate", config: { direction: "to" } };
  const second = await addPolicy(ada, { selector: { labels: ["conflict"] }, target: wanted });
  await settle(h);
  const { failures } = (await getPolicy(ada, second.id)).progress;
  expect(failures.map(({ code, reason }) => `${code}: ${reason}`).sort()).toEqual([
    "target_conflict: The contract has a target tx_rate with another config, and can have only one.",
    'target_conflict: The target "Transactions" of the contract is disabled. Enable it.',
  ]);
  await ada.client.patch(`/targets/${off.id}`, { is_enabled: true });
  const [other] = await targetsOn(ada, conflicting.id);
  await ada.client.delete(`/targets/${other?.id}`);
  await settle(h);
  expect(await getPolicy(ada, second.id)).toMatchObject({ status: "applied", progress: { applied: 2 } });
  await ada.client.delete(`/policies/${second.id}`);
  await settle(h);
});

test("the progress of a policy over many contracts is reported", async () => {
  const contracts = Array.from({ length: 60 }, () => ({
    chain: "local",
    address: freshAddress(),
    labels: ["many"],
  }));
  await ada.client.post("/contracts/bulk-import", { contracts });
  const policy = await addPolicy(ada, { selector: { labels: ["many"] } });
  expect(policy.progress).toMatchObject({ matched: 60, applied: 0, pending: 60 });
  await applyPoliciesJob.run(h.app);
  const { status, progress } = await getPolicy(ada, policy.id);
  expect({ status, ...progress }).toMatchObject({
    status: "applying",
    matched: 60,
    applied: 50,
    pending: 10,
  });
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({ status: "applied", progress: { applied: 60 } });
  await ada.client.delete(`/policies/${policy.id}`);
  await settle(h);
});

test("the audit log has what people did to a policy, and one entry for what it did to rules", async () => {
  for (let i = 0; i < 3; i++) await addLabelled(ada, "audited");
  const policy = await addPolicy(ada, { selector: { labels: ["audited"] } });
  await settle(h);
  await ada.client.patch(`/policies/${policy.id}`, { is_enabled: false });
  await settle(h);
  await ada.client.delete(`/policies/${policy.id}`);
  const rows = await h.app.db
    .selectFrom("audit_log")
    .select(["action", "details", "actor_type"])
    .where("subject_id", "=", policy.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const { name } = policy;
  expect(rows).toMatchObject([
    { action: "policy.created", actor_type: "user", details: { name } },
    { action: "policy.applied", actor_type: "system", details: { name, added: 3, removed: 0, failed: 0 } },
    { action: "policy.updated", actor_type: "user", details: { fields: ["is_enabled"] } },
    { action: "policy.applied", actor_type: "system", details: { added: 0, removed: 3 } },
    { action: "policy.deleted", actor_type: "user", details: { name } },
  ]);
});

const at = (loc: string, msg: string) => [loc, msg] as const;
test.each([
  [
    "an unknown target type",
    { target: { target_type: "tx_rat" } },
    at("target.target_type", "did you mean tx_rate?"),
  ],
  [
    "a config of another type",
    { target: { target_type: "tx_rate", config: { direction: "up" } } },
    at("target.config.direction", ""),
  ],
  [
    "a config that no chain supports",
    { target: { target_type: "storage_slot" } },
    at("target.config.slot", ""),
  ],
  [
    "an unknown chain",
    { selector: { chains: ["etherum"] } },
    at("selector.chains.0", "did you mean ethereum?"),
  ],
  ["an unknown category", { selector: { categories: ["cafe"] } }, at("selector.categories.0", "")],
  [
    "an unknown contract type",
    { selector: { contract_types: ["erc21"] } },
    at("selector.contract_types.0", ""),
  ],
  [
    "an empty list",
    { selector: { labels: [] } },
    at("selector.labels", "leave it out to match every contract"),
  ],
  ["an unknown field of the selector", { selector: { tags: ["a"] } }, at("selector.tags", "")],
  [
    "a rule without a channel",
    { rule: { severity: "info", condition: { operator: "gt", threshold: 1 } } },
    at("rule.record_only", "must be true"),
  ],
  [
    "a channel of another org",
    { rule: { severity: "info", condition: { operator: "gt", threshold: 1 }, channel_id: unknownId } },
    at("rule.channel_id", "is not a channel"),
  ],
  [
    "a step with a channel of another org",
    {
      rule: {
        ...{ severity: "info", condition: { operator: "gt", threshold: 1 }, channel_id: unknownId },
        escalation: [{ after_seconds: 60, channel_ids: [unknownId] }],
      },
    },
    at("rule.escalation.0.channel_ids.0", "is not a channel"),
  ],
  [
    "a percentage of a share",
    {
      target: { target_type: "revert_rate" },
      rule: { severity: "info", condition: { operator: "gt", threshold: 50 }, record_only: true },
    },
    at("rule.condition.threshold", "for 50 % use 0.5"),
  ],
  [
    "a group of a target that reads state",
    {
      target: { target_type: "native_balance" },
      rule: {
        severity: "info",
        condition: { operator: "lt", threshold: 1, group_by: "sender" },
        record_only: true,
      },
    },
    at("rule.condition.group_by", "needs transactions or events"),
  ],
  [
    "an argument that the signature does not have",
    {
      target: {
        target_type: "event_frequency",
        config: { event_signature: "Paid(uint256 amount)", filter: "amuont > 1" },
      },
    },
    at("target.config.filter", "did you mean amount?"),
  ],
  [
    "conditions on several targets",
    {
      rule: {
        severity: "info",
        condition: {
          operator: "gt",
          threshold: 1,
          all: [{ target_id: unknownId, operator: "gt", threshold: 1 }],
        },
        record_only: true,
      },
    },
    at("rule.condition.all", "cannot be used in a policy"),
  ],
  [
    "one of several conditions",
    {
      rule: {
        severity: "info",
        condition: {
          operator: "gt",
          threshold: 1,
          any: [{ target_id: unknownId, operator: "gt", threshold: 1 }],
        },
        record_only: true,
      },
    },
    at("rule.condition.any", "cannot be used in a policy"),
  ],
  [
    "a window shorter than two readings",
    {
      target: { target_type: "native_balance" },
      rule: {
        severity: "info",
        condition: { operator: "lt", threshold: 1, aggregation: "avg", window_seconds: 60 },
        record_only: true,
      },
    },
    at("rule.condition.window_seconds", "must be at least"),
  ],
  [
    "a variable that does not exist",
    {
      rule: {
        ...{ severity: "info", condition: { operator: "gt", threshold: 1 }, record_only: true },
        message_template: "{{valeu}}",
      },
    },
    at("rule.message_template", "did you mean value?"),
  ],
  [
    "a rule that is disabled individually",
    {
      rule: {
        ...{ severity: "info", condition: { operator: "gt", threshold: 1 }, record_only: true },
        is_enabled: false,
      },
    },
    at("rule.is_enabled", ""),
  ],
])("a policy with %s is rejected with a sentence", async (_what, more, [loc, msg]) => {
  const { status, body } = await ada.client.post("/policies", policyBody(more));
  const issues = (body as { detail: { loc: string[]; msg: string }[] }).detail;
  expect([status, issues.map((issue) => issue.loc.slice(1).join("."))]).toEqual([
    422,
    expect.arrayContaining([loc]),
  ]);
  const found = issues.find((issue) => issue.loc.slice(1).join(".") === loc);
  expect(found?.msg).toContain(msg);
  const policy = await addPolicy(ada, { selector: { labels: ["nothing"] } });
  expect((await ada.client.patch(`/policies/${policy.id}`, more)).status).toBe(422);
  await ada.client.delete(`/policies/${policy.id}`);
});

test("the name of a policy is unique, and an org has at most 100 policies", async () => {
  const grace = await teamAdmin(h);
  const first = await addPolicy(grace, { name: "Same" });
  const second = await addPolicy(grace, { name: "Other" });
  const taken = errorReply(409, "policy_exists");
  expect(await grace.client.post("/policies", policyBody({ name: "Same" }))).toMatchObject(taken);
  expect(await grace.client.patch(`/policies/${second.id}`, { name: "Same" })).toMatchObject(taken);
  expect((await grace.client.patch(`/policies/${first.id}`, { name: "Same" })).status).toBe(200);
  for (let count = 2; count < 99; count++) await addPolicy(grace);
  const replies = await Promise.all([1, 2, 3].map(() => grace.client.post("/policies", policyBody())));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  const rejected = replies.find(({ status }) => status === 403);
  expect(rejected?.body).toMatchObject({
    code: "quota_exceeded",
    detail: expect.stringContaining("at most 100 policies"),
  });
  await grace.client.delete(`/policies/${first.id}`);
  expect((await grace.client.post("/policies", policyBody({ name: "Same" }))).status).toBe(201);
});
