import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContract, addRule, addTarget, grant, recordEvent } from "../contracts/contract-steps.ts";
import { monitor, runImport } from "../imports/defender-steps.ts";
import { join, teamAdmin } from "../steps.ts";

/** What a rule that an admin moves between contracts shows to members with access to only one of them. */
const h = await harness();
const admin = await teamAdmin(h);
const [member, grantee] = [await join(h, admin, "member"), await join(h, admin, "member")];
for (const { client } of [member, grantee]) await client.post(`/orgs/${admin.org_id}/switch`);

async function addRestrictedTarget() {
  const contract = await addContract(admin);
  await grant(admin, contract.id, grantee);
  return { contract, target: await addTarget(admin, contract.id, transfers) };
}

const transfers = {
  target_type: "event_frequency",
  config: { event_signature: "Transfer(address from, address to, uint256 value)" },
};

async function move(rule: Rule, target_id: string): Promise<void> {
  expect((await admin.client.patch(`/alerts/${rule.id}`, { target_id })).status).toBe(200);
}

/** Stores the state that a version of a rule has for one group, which has not fired. */
async function addQuietGroup({ id: rule_id }: Rule, rule_version: number): Promise<void> {
  const state = JSON.stringify({ phase: "ok", last_fired_at: null });
  await h.app.db
    .insertInto("rule_states")
    .values({ rule_id, rule_version, group_key: "a", chain: "local", height: "9", state })
    .execute();
}

test("a grouped rule that moved from a restricted contract does not show when it fired there", async () => {
  const { contract, target } = await addRestrictedTarget();
  const condition = { operator: "gte", threshold: 2, group_by: "args.to" };
  const rule = await addRule(admin, target.id, { condition });
  await addQuietGroup(rule, 1);
  const fired_at = new Date("2026-11-01T10:00:00.000Z");
  await recordEvent(h, admin.org_id, { contract, target, rule }, { fired_at });
  const shown = async (person: Person) => (await person.client.get(`/alerts/${rule.id}`)).body;
  expect(await shown(admin)).toMatchObject({ last_fired_at: fired_at.toISOString() });
  await move(rule, (await addTarget(admin, (await addContract(admin)).id, transfers)).id);
  await addQuietGroup(rule, 2);
  for (const person of [admin, member]) expect(await shown(person)).toMatchObject({ last_fired_at: null });
});

test("an import does not find a rule that moved to a contract which the importer cannot see", async () => {
  const dump = { export: [monitor()] };
  const [imported] = (await runImport(member, dump)).items;
  const rule_id = imported?.rule_ids[0] ?? "";
  const { body } = await admin.client.get(`/alerts/${rule_id}`);
  const repeated = await runImport(member, dump);
  expect(repeated.items).toMatchObject([{ status: "skipped", rule_ids: [rule_id] }]);
  const hidden = await addContract(admin, { selected_targets: [{ target_type: "tx_rate" }] });
  await grant(admin, hidden.id, grantee);
  const [target] = (await admin.client.get(`/contracts/${hidden.id}/targets`)).body as { id: string }[];
  await move(body as Rule, target?.id ?? "");
  const { items } = await runImport(member, dump);
  expect(items).toMatchObject([{ status: "imported" }]);
  expect(JSON.stringify(items)).not.toContain(rule_id);
});
