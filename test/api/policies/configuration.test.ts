import { expect, test } from "vitest";
import type { ConfigDocument, ConfigPlan } from "../../../src/wire/imports/configuration.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addChannel, addRule, addTarget, grant } from "../contracts/contract-steps.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";
import { addLabelled, addPolicy, getPolicy, policyBody, rulesOn, settle, targetsOn } from "./policy-steps.ts";

const h = await harness();

async function exported({ client }: Person): Promise<ConfigDocument> {
  return (await client.get("/config")).body as ConfigDocument;
}

async function apply({ client }: Person, document: object): Promise<ConfigPlan> {
  const { status, body, text } = await client.post("/config/apply", { version: 1, ...document });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as ConfigPlan;
}

/** The rule of `policyBody` with the default recipients. */
const rule = { severity: "critical", condition: { operator: "gt", threshold: 1 }, record_only: true };

test("an export has the policies and not what they manage, and applying it changes nothing", async () => {
  const ada = await teamAdmin(h);
  const channel_id = await addChannel(h, ada.org_id);
  const [plain, own] = [await addLabelled(ada), await addLabelled(ada)];
  const target = await addTarget(ada, own.id);
  await addRule(ada, target.id, { name: "By hand" });
  const escalation = [{ after_seconds: 60, channel_ids: [channel_id] }];
  const { record_only: _, ...notifying } = rule;
  const policy = await addPolicy(ada, { rule: { ...notifying, channel_id, escalation } });
  await settle(h);
  const document = await exported(ada);
  expect(document.policies).toMatchObject([
    {
      name: policy.name,
      selector: { labels: ["treasury"] },
      target: { target_type: "tx_rate" },
      rule: {
        channels: ["Ops"],
        escalation: [{ after_seconds: 60, channels: ["Ops"] }],
        cooldown_seconds: 300,
      },
      is_enabled: true,
    },
  ]);
  const targetsAt = (address: string) =>
    document.contracts?.find((contract) => contract.address === address)?.targets;
  expect(targetsAt(plain.address)).toEqual([]);
  expect(targetsAt(own.address)).toMatchObject([{ target_type: "tx_rate", rules: [{ name: "By hand" }] }]);
  const plan = await apply(ada, { ...document, prune: true });
  expect(plan.changes).toEqual([]);
  await settle(h);
  expect(await rulesOn(ada, plain.id)).toMatchObject([{ policy_id: policy.id }]);
  expect(await rulesOn(ada, own.id)).toHaveLength(2);
  expect(await exported(ada)).toEqual(document);
});

test("a document creates, updates and prunes policies, and a second time changes nothing", async () => {
  const ada = await teamAdmin(h);
  const contract = await addLabelled(ada);
  const policies = [
    { ...policyBody({ name: "One" }) },
    { ...policyBody({ name: "Two" }), is_enabled: false },
  ];
  const created = await apply(ada, { policies });
  expect(created.changes.map(({ action, kind, ref }) => [action, kind, ref])).toEqual([
    ["create", "policy", "One"],
    ["create", "policy", "Two"],
  ]);
  expect(await apply(ada, { policies })).toMatchObject({ changes: [], summary: { none: 2 } });
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ name: "One" }]);
  const changed = [{ ...policies[0], rule: { ...rule, severity: "info" } }];
  const updated = await apply(ada, { policies: changed, prune: true });
  expect(updated.changes).toMatchObject([
    { action: "delete", kind: "policy", ref: "Two" },
    { action: "update", kind: "policy", ref: "One", fields: ["rule"] },
  ]);
  expect(await apply(ada, { policies: changed, prune: true })).toMatchObject({ changes: [] });
  await settle(h);
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ name: "One", severity: "info" }]);
  await apply(ada, { policies: [], prune: true });
  await settle(h);
  expect([await rulesOn(ada, contract.id), await targetsOn(ada, contract.id)]).toEqual([[], []]);
});

test("a target passes from a document to a policy, and from a policy to a document", async () => {
  const ada = await teamAdmin(h);
  const { chain, address, id } = await addLabelled(ada);
  const target = await addTarget(ada, id);
  await addRule(ada, target.id);
  const policy = await addPolicy(ada);
  await settle(h);
  const without = { contracts: [{ chain, address, targets: [] }], prune: true };
  expect((await apply(ada, without)).changes).toMatchObject([{ action: "delete", kind: "rule" }]);
  expect((await apply(ada, without)).changes).toEqual([]);
  expect(await targetsOn(ada, id)).toMatchObject([{ id: target.id, policy_id: policy.id }]);
  expect(await rulesOn(ada, id)).toMatchObject([{ policy_id: policy.id }]);
  const listing = { contracts: [{ chain, address, targets: [{ target_type: "tx_rate" }] }], prune: true };
  expect((await apply(ada, listing)).changes).toMatchObject([
    { action: "update", kind: "target", fields: ["policy_id"] },
  ]);
  expect((await apply(ada, listing)).changes).toEqual([]);
  await ada.client.delete(`/policies/${policy.id}`);
  await settle(h);
  expect([await rulesOn(ada, id), await targetsOn(ada, id)]).toMatchObject([
    [],
    [{ id: target.id, policy_id: null }],
  ]);
});

test("errors of a document name the place in its policies", async () => {
  const ada = await teamAdmin(h);
  const { record_only: _, ...silent } = rule;
  const policies = [
    { ...policyBody({ name: "A" }), rule: { ...silent, channels: ["Nobody"] } },
    { ...policyBody({ name: "B" }), target: { target_type: "nonsense" } },
    policyBody({ name: "C" }),
    policyBody({ name: "C" }),
  ];
  const reply = await ada.client.post("/config/apply", { version: 1, policies });
  const issues = (reply.body as { detail: { loc: (string | number)[] }[] }).detail;
  expect([reply.status, issues.map(({ loc }) => loc.join("."))]).toEqual([
    422,
    ["body.policies.0.rule.channels.0", "body.policies.1.target.target_type", "body.policies.3.name"],
  ]);
  expect((await ada.client.get("/policies")).body).toEqual([]);
});

test("a document changes a policy on a restricted contract only for people who may change the contract", async () => {
  const admin = await teamAdmin(h);
  const [member, editor] = [await join(h, admin, "member"), await join(h, admin, "member")];
  for (const { client } of [member, editor]) await client.post(`/orgs/${admin.org_id}/switch`);
  const contract = await addLabelled(admin);
  await grant(admin, contract.id, editor, "editor");
  const policy = await addPolicy(admin);
  await settle(h);
  const document = { version: 1, policies: [], prune: true };
  expect(await member.client.post("/config/apply", document)).toMatchObject(errorReply(403, "role_required"));
  expect(await rulesOn(admin, contract.id)).toHaveLength(1);
  expect((await editor.client.post("/config/apply", document)).status).toBe(200);
  expect(await admin.client.get(`/policies/${policy.id}`)).toMatchObject(errorReply(404, "not_found"));
});

test("a deleted channel is replaced in policies, or leaves them record-only", async () => {
  const ada = await teamAdmin(h);
  const [first, second, third] = [
    await addChannel(h, ada.org_id),
    await addChannel(h, ada.org_id),
    await addChannel(h, ada.org_id),
  ];
  const { record_only: _, ...silent } = rule;
  const contract = await addLabelled(ada);
  const escalation = [{ after_seconds: 60, channel_ids: [first, third] }];
  const policy = await addPolicy(ada, { rule: { ...silent, channel_id: first, escalation } });
  await settle(h);
  const inUse = await ada.client.delete(`/channels/${first}`);
  expect(inUse).toMatchObject(errorReply(409, "channel_in_use"));
  expect(inUse.text).toContain(`policy ${policy.name}`);
  await ada.client.delete(`/channels/${first}`, { query: { replace_with: second } });
  const moved = {
    channel_id: second,
    escalation: [{ channel_ids: [second, third].sort() }],
    record_only: false,
  };
  expect(await getPolicy(ada, policy.id)).toMatchObject({ rule: moved, status: "applied" });
  expect(await rulesOn(ada, contract.id)).toMatchObject([moved]);
  await ada.client.patch(`/policies/${policy.id}`, { rule: { ...silent, channel_id: second } });
  await settle(h);

  const pruned = await ada.client.post("/config/apply", { version: 1, channels: [], prune: true });
  expect(pruned.status).toBe(422);
  expect(pruned.text).toContain("leaves the policy");
  await ada.client.delete(`/channels/${second}`, { query: { force: "true" } });
  await ada.client.patch(`/policies/${policy.id}`, { is_enabled: true });
  await settle(h);
  expect(await getPolicy(ada, policy.id)).toMatchObject({
    rule: { channel_id: null, record_only: true },
    status: "applied",
  });
  expect(await rulesOn(ada, contract.id)).toMatchObject([{ channel_id: null, record_only: true }]);
  expect((await ada.client.delete(`/channels/${unknownId}`)).status).toBe(404);
});
