import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import { harness } from "../../support/harness.ts";
import { addContract, addRule, addTarget } from "../contracts/contract-steps.ts";

const h = await harness();
const owner = await h.personOn("enterprise");
const contract = await addContract(owner);
const transactions = await addTarget(owner, contract.id);

type Issue = { loc: (string | number)[]; msg: string };

/** Changes a rule and returns what is wrong with the change. */
async function issuesOf(rule: Rule, change: object): Promise<string[]> {
  const { status, body } = await owner.client.patch(`/alerts/${rule.id}`, change);
  if (status === 200) return [];
  return (body as { detail: Issue[] }).detail.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`);
}

const on = (target_type: string, config?: object) =>
  addTarget(owner, contract.id, { target_type, ...(config && { config }) });
const event = (signature: string) => on("event_frequency", { event_signature: signature });

test("a rule cannot move to a target whose unit its threshold does not fit, unless the threshold changes too", async () => {
  const rule = await addRule(owner, transactions.id, { condition: { operator: "gt", threshold: 2 } });
  const { id: target_id } = await on("revert_rate");
  expect(await issuesOf(rule, { target_id })).toEqual([
    "condition.threshold is a share from 0 to 1, not 2; for 2 % use 0.02",
  ]);
  expect(await issuesOf(rule, { target_id, condition: { operator: "gt", threshold: 0.02 } })).toEqual([]);
});

test("a rule with further conditions cannot move to another contract, whose targets they are not about", async () => {
  const all = [{ target_id: (await on("gas_usage")).id, operator: "gt", threshold: 5 }];
  const rule = await addRule(owner, transactions.id, { condition: { operator: "gt", threshold: 2, all } });
  const elsewhere = await addTarget(owner, (await addContract(owner)).id);
  expect(await issuesOf(rule, { target_id: elsewhere.id })).toEqual([
    "condition.all.0.target_id is not a target of the same contract",
  ]);
  expect(await issuesOf(rule, { target_id: (await on("unique_callers")).id })).toEqual([]);
});

test("the group and the message of a moved rule may only use the arguments of the new target", async () => {
  const approvals = await event("Approval(address owner, address spender, uint256 value)");
  const transfers = await event("Transfer(address from, address to, uint256 value)");
  const rule = await addRule(owner, approvals.id, {
    condition: { operator: "gte", threshold: 2, group_by: "args.spender" },
    message_template: "{{args.owner}} approved {{args.value}}",
  });
  expect(await issuesOf(rule, { target_id: transfers.id })).toEqual([
    expect.stringMatching(/^condition\.group_by is args\.spender, which does not exist; .*args\.to/),
    expect.stringMatching(/^message_template uses {{args\.owner}}, which does not exist; .*args\.to/),
  ]);
});

test("a change of what a rule matches checks its stored message again", async () => {
  const matching = (signature: string) => ({
    operator: "gt",
    threshold: 2,
    match: { events: [{ signature }] },
  });
  const rule = await addRule(owner, transactions.id, {
    condition: matching("Approval(address owner, address spender, uint256 value)"),
    message_template: "Approved for {{args.spender}}",
  });
  const condition = matching("Transfer(address from, address to, uint256 value)");
  expect(await issuesOf(rule, { condition })).toEqual([
    expect.stringMatching(/^message_template uses {{args\.spender}}, which does not exist/),
  ]);
  expect(await issuesOf(rule, { condition, message_template: null })).toEqual([]);
});

test("a rule that evaluated single readings gets a window when it moves to polled state", async () => {
  const changes = await on("ownership_change");
  const rule = await addRule(owner, changes.id, { condition: { operator: "gte", threshold: 1 } });
  expect(rule.condition).not.toHaveProperty("window_seconds");
  const { id: target_id } = await on("native_balance");
  expect(await issuesOf(rule, { target_id })).toEqual([]);
  const { body } = await owner.client.get(`/alerts/${rule.id}`);
  expect(body).toMatchObject({ condition: { operator: "gte", threshold: 1, window_seconds: 300 } });
});

test("a document that moves a rule to a target that it does not fit is rejected at the rule", async () => {
  const { chain, address, id } = await addContract(owner);
  const { id: target_id } = await addTarget(owner, id);
  const condition = { operator: "gt", threshold: 2, window_seconds: 300 };
  await addRule(owner, target_id, { name: "Busy", external_ref: "busy", condition });
  const rule = { name: "Busy", external_ref: "busy", severity: "critical", condition, record_only: true };
  const targets = [{ target_type: "tx_rate" }, { target_type: "revert_rate", rules: [rule] }];
  const document = { version: 1, contracts: [{ chain, address, targets }] };
  const { body } = await owner.client.post("/config/apply", document, { query: { dry_run: "true" } });
  expect(body).toMatchObject({
    errors: [
      {
        loc: ["body", "contracts", 0, "targets", 1, "rules", 0, "condition", "threshold"],
        msg: expect.stringContaining("is a share from 0 to 1, not 2"),
      },
    ],
    changes: expect.arrayContaining([expect.objectContaining({ kind: "rule", action: "update" })]),
  });
});
