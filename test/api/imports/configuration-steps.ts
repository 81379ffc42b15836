import { expect } from "vitest";
import type { ConfigDocument, ConfigPlan } from "../../../src/wire/imports/configuration.ts";
import type { Client } from "../../support/client.ts";
import type { Harness, Person } from "../../support/harness.ts";
import { addContract, addRule, addTarget } from "../contracts/contract-steps.ts";
import { teamAdmin } from "../steps.ts";

export const exportConfig = async ({ client }: { client: Client }) => {
  const reply = await client.get("/config");
  expect(reply.status).toBe(200);
  return reply.body as ConfigDocument;
};

export const apply = ({ client }: { client: Client }, body: object, dry_run = false) =>
  client.post("/config/apply", body, { query: { dry_run: String(dry_run) } });

export async function applyOk(one: { client: Client }, body: object, dry_run = false): Promise<ConfigPlan> {
  const reply = await apply(one, body, dry_run);
  expect([reply.status, reply.status === 200 ? "" : reply.text]).toEqual([200, ""]);
  return reply.body as ConfigPlan;
}

export const changeLines = ({ changes }: ConfigPlan) =>
  changes.map(({ action, kind, ref }) => `${action} ${kind} ${ref}`);

export const slack = (name = "On-call", more: object = {}) => ({
  type: "slack",
  name,
  config: { webhook_url: "https://hooks.slack.com/services/T0/B0/verysecret" },
  ...more,
});

export const rule = (name: string, more: { channels?: string[] } & Record<string, unknown> = {}) => ({
  name,
  severity: "critical",
  condition: { operator: "gt", threshold: 1 },
  record_only: !more.channels?.length,
  ...more,
});

/** An org with channels, contracts, labels, targets and rules. */
export async function makePopulatedOrg(h: Harness): Promise<Person> {
  const owner = await teamAdmin(h);
  const { body } = await owner.client.post("/channels", slack());
  const channel_id = (body as { id: string }).id;
  await owner.client.post("/channels", {
    type: "webhook",
    name: "Hook",
    config: { url: "https://example.com/hook", headers: { Authorization: "Bearer alsosecret" } },
  });
  const contract = await addContract(owner, { label: "Vault" });
  await owner.client.put(`/contracts/${contract.id}/labels`, {
    labels: [{ key: "team", value: "treasury", color: "#a5341f" }, { value: "core" }],
  });
  const plain = await addTarget(owner, contract.id);
  const config = { event_signature: "Transfer(address,address,uint256)" };
  for (const filter of [undefined, "$2 > 5"])
    await addTarget(owner, contract.id, { target_type: "event_frequency", config: { ...config, filter } });
  await addRule(owner, plain.id, { name: "Busy", channel_id, confirmations: "safe" });
  await addRule(owner, plain.id, { name: "Busy" });
  await addRule(owner, plain.id, { name: "Ours", external_ref: "template:x", channel_ids: [channel_id] });
  const paused = await addContract(owner, {
    selected_targets: [{ target_type: "no_such_type", config: { a: 1 } }],
  });
  await owner.client.post(`/contracts/${paused.id}/pause`);
  return owner;
}
