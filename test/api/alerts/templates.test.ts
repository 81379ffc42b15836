import { expect, test } from "vitest";
import { emptyAbi } from "../../../src/chains/evm/abi/abi.ts";
import { conditionIssues } from "../../../src/domain/alerts/rule-condition.ts";
import { ruleIssues } from "../../../src/domain/alerts/rule-issues.ts";
import { widened } from "../../../src/domain/alerts/unit-issues.ts";
import { meterOf } from "../../../src/meters/index.ts";
import { templates } from "../../../src/templates/index.ts";
import { categories } from "../../../src/templates/template.ts";
import type { AlertTemplate, TemplatesApplied } from "../../../src/wire/alerts/alert-templates.ts";
import { RuleCondition } from "../../../src/wire/alerts/rule-condition.ts";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { harness, type Person } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { addContract, addTarget, grant } from "../contracts/contract-steps.ts";
import { counts, errorReply, join, sendConcurrently, teamAdmin, unknownId } from "../steps.ts";

const h = await harness();

async function channelOf(owner: Person): Promise<string> {
  const body = { type: "email", name: "On-call", config: { to: ["oncall@example.com"] } };
  return ((await owner.client.post("/channels", body)).body as { id: string }).id;
}

async function list(owner: Person, contract_id: string, category: string): Promise<AlertTemplate[]> {
  const { body } = await owner.client.get(`/contracts/${contract_id}/alert-templates`, {
    query: { category },
  });
  return body as AlertTemplate[];
}

const apply = (owner: Person, contract_id: string, body: object) =>
  owner.client.post(`/contracts/${contract_id}/alert-templates/apply`, body);

async function applyOk(owner: Person, contract_id: string, body: object): Promise<TemplatesApplied> {
  const reply = await apply(owner, contract_id, body);
  expect(reply.status).toBe(200);
  return reply.body as TemplatesApplied;
}

const rulesOf = async (owner: Person, contract_id: string) =>
  (await owner.client.get("/alerts", { query: { contract_id } })).body as Rule[];
const targetsOf = async (owner: Person, contract_id: string) =>
  (await owner.client.get(`/contracts/${contract_id}/targets`)).body as Target[];

/** An ABI of human-readable signatures. */
const governorAbi = [
  "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
  "event ProposalExecuted(uint256 proposalId)",
  "function getThreshold() view returns (uint256)",
];

test.each(templates)("the condition of the template $id is a valid rule condition", ({ condition }) => {
  const parsed = RuleCondition.safeParse(condition);
  expect(parsed.error).toBeUndefined();
  const context = { chain: { kind: "evm" as const }, abi: emptyAbi };
  expect(conditionIssues(RuleCondition.parse(condition), context)).toEqual([]);
});

test.each(templates)(
  "the rule of the template $id passes the validation of the API at every interval",
  (template) => {
    const { target_type, condition: given, severity, for_seconds, target_config } = template;
    for (const pollingSeconds of [15, 300, 3_600]) {
      const subject = {
        chain: { kind: "evm" as const },
        abi: emptyAbi,
        events: undefined,
        functions: undefined,
        pollingSeconds,
      };
      const condition = widened(RuleCondition.parse(given), meterOf(target_type), subject);
      const target = { target_type, config: target_config ?? {}, subject, siblings: [] };
      expect(ruleIssues({ condition, severity, for_seconds }, target)).toEqual([]);
    }
  },
);

test("a template on a contract of the free tier has a window with two readings", async () => {
  const owner = await h.person();
  const { id } = await addContract(owner, { abi: ["function slot0() view returns (uint160)"] });
  const [template] = (await list(owner, id, "dex")).filter(({ id: key }) => key === "dex_price_drop");
  expect(template).toMatchObject({ applicable: true, condition: { window_seconds: 600 } });
  const channel_id = await channelOf(owner);
  const body = { category: "dex", channel_id, template_ids: ["dex_price_drop"] };
  expect(await applyOk(owner, id, body)).toMatchObject({ rules: [{}], skipped: [] });
  expect(await rulesOf(owner, id)).toMatchObject([{ condition: { window_seconds: 600 } }]);
});

test("listing templates writes nothing and says which apply to the contract, with reasons", async () => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner, { abi: governorAbi });
  const before = await counts(h);
  const items = await list(owner, id, "governance");
  expect(await counts(h)).toEqual(before);
  const applicable = items.filter((item) => item.applicable).map((item) => item.id);
  expect(applicable).toEqual([
    "gov_ownership_change",
    "gov_upgrade",
    "gov_proposal_executed",
    "gov_safe_threshold",
  ]);
  expect(items.find((item) => item.id === "gov_timelock_queued")).toMatchObject({
    applicable: false,
    reason: expect.stringMatching(/no event CallScheduled/),
  });
  for (const category of categories) {
    const listed = await list(owner, id, category);
    expect(new Set(listed.map((item) => item.category))).toEqual(new Set([category]));
  }
});

test.each([{ category: "nft" }, { category: "" }, {}])(
  "the template list query %j gets 422",
  async (query) => {
    const owner = await teamAdmin(h);
    const { id } = await addContract(owner);
    const reply = await owner.client.get(`/contracts/${id}/alert-templates`, {
      query: query as { category: string },
    });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", "category"] }] } });
  },
);

test("applying templates creates targets and rules for the channel and starts monitoring", async () => {
  const owner = await teamAdmin(h);
  const contract = await addContract(owner, { abi: governorAbi });
  const channel_id = await channelOf(owner);
  const result = await applyOk(owner, contract.id, { category: "governance", channel_id });
  expect(result.rule_ids).toHaveLength(4);
  expect(result.skipped.map((one) => one.template_id)).toEqual([
    "gov_proposal_created",
    "gov_timelock_queued",
    "gov_timelock_delay_cut",
    "gov_setting_changed",
    "gov_rare_event",
  ]);
  const rules = await rulesOf(owner, contract.id);
  expect(new Set(rules.map((rule) => rule.id))).toEqual(new Set(result.rule_ids));
  for (const rule of rules) {
    const template = templates.find(({ id }) => rule.external_ref === `template:${id}`);
    expect(rule).toMatchObject({ channel_id, name: template?.name, condition: template?.condition });
  }
  const { body } = await owner.client.get(`/contracts/${contract.id}`);
  expect(body).toMatchObject({ status: "MONITORING", targets_count: 4, rules_count: 4 });
});

test("applying templates is idempotent, and another channel gets separate rules on the same targets", async () => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner, { abi: governorAbi });
  const request = { category: "governance", channel_id: await channelOf(owner) };
  await applyOk(owner, id, request);
  const before = await counts(h);
  const again = await applyOk(owner, id, request);
  expect(again.rule_ids).toEqual([]);
  expect(again.skipped[0]).toMatchObject({ reason: expect.stringMatching(/already/) });
  expect(await counts(h)).toEqual(before);
  const other = await applyOk(owner, id, { ...request, channel_id: await channelOf(owner) });
  expect(other.rule_ids).toHaveLength(4);
  expect(await targetsOf(owner, id)).toHaveLength(4);
});

test("concurrent applications of templates create each rule once", async () => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner, { abi: governorAbi });
  const request = { category: "governance", channel_id: await channelOf(owner) };
  const replies = await sendConcurrently(Array(6).fill(owner.client), (client) =>
    client.post(`/contracts/${id}/alert-templates/apply`, request),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await rulesOf(owner, id)).toHaveLength(4);
  expect(await targetsOf(owner, id)).toHaveLength(4);
});

test("applying a template reuses an existing target and enables it", async () => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner);
  const channel_id = await channelOf(owner);
  const target = await addTarget(owner, id, {
    target_type: "tvl",
    config: { tokens: [{ token: "native", price: 1 }] },
  });
  await owner.client.patch(`/targets/${target.id}`, { is_enabled: false });
  const template_ids = ["lending_tvl_drop"];
  const { rule_ids } = await applyOk(owner, id, { category: "lending", channel_id, template_ids });
  expect(rule_ids).toHaveLength(1);
  expect(await targetsOf(owner, id)).toMatchObject([
    { id: target.id, is_enabled: true, config: target.config },
  ]);
  expect(await rulesOf(owner, id)).toMatchObject([{ target_id: target.id }]);
});

test("applying templates reuses a target only if its config is the same", async () => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner);
  const channel_id = await channelOf(owner);
  await addTarget(owner, id, { target_type: "view_function", config: { signature: "totalAssets()" } });
  const request = { category: "dex", channel_id, template_ids: ["dex_price_jump", "dex_price_drop"] };
  expect((await applyOk(owner, id, request)).rule_ids).toHaveLength(2);
  expect(await targetsOf(owner, id)).toHaveLength(2);
});

test("templates that exceed the quota are skipped with the reason", async () => {
  const owner = await h.person();
  const { id } = await addContract(owner);
  const channel_id = await channelOf(owner);
  const first = await applyOk(owner, id, { category: "governance", channel_id });
  expect(first.rule_ids).toHaveLength(6);
  expect(first.skipped.map(({ reason }) => reason)).toEqual(
    Array(2)
      .fill("The Free tier allows 5 targets per contract.")
      .concat(
        "The events of the contract are not known yet. Apply the template again when the contract was inspected.",
      ),
  );
  const second = await addContract(owner);
  const rest = await applyOk(owner, second.id, { category: "governance", channel_id });
  expect(rest.rule_ids).toHaveLength(4);
  const third = await addContract(owner);
  const none = await applyOk(owner, third.id, { category: "oracle", channel_id });
  expect(none.rule_ids).toEqual([]);
  expect(none.skipped.map(({ reason }) => reason)).toContain("The Free tier allows 10 alert rules.");
  expect(await targetsOf(owner, third.id)).toEqual([]);
});

test.each([
  ["an unknown template", { template_ids: ["gov_nothing"] }],
  ["a template of another category", { template_ids: ["gov_upgrade", "dex_failed_tx"] }],
  ["an unknown category", { category: "nft" }],
  ["an unknown channel", { channel_id: unknownId }],
  ["an unknown field", { prune: true }],
])("applying templates with %s is rejected and creates nothing", async (_what, wrong) => {
  const owner = await teamAdmin(h);
  const { id } = await addContract(owner);
  const request = { category: "governance", channel_id: await channelOf(owner), ...wrong };
  const before = await counts(h);
  expect((await apply(owner, id, request)).status).toBe(422);
  expect(await counts(h)).toEqual(before);
});

test("applying templates to a channel of another org is rejected like an unknown one", async () => {
  const [owner, other] = [await teamAdmin(h), await teamAdmin(h)];
  const { id } = await addContract(owner);
  const foreign = await apply(owner, id, { category: "governance", channel_id: await channelOf(other) });
  const unknown = await apply(owner, id, { category: "governance", channel_id: unknownId });
  expect([foreign.status, foreign.body]).toEqual([422, unknown.body]);
});

test("a member with read-only access to a contract can list its templates but not apply them", async () => {
  const owner = await teamAdmin(h);
  const reader = await join(h, owner, "member");
  await reader.client.post(`/orgs/${owner.org_id}/switch`);
  const { id } = await addContract(owner);
  const channel_id = await channelOf(owner);
  await grant(owner, id, reader);
  expect(await list(reader, id, "dex")).toHaveLength(16);
  expect(await apply(reader, id, { category: "dex", channel_id })).toMatchObject(
    errorReply(403, "role_required"),
  );
});

longTest(
  "templates of more organisations than there are connections are applied at the same time",
  async () => {
    const orgs = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const owner = await teamAdmin(h);
        const contract = await addContract(owner);
        await addTarget(owner, contract.id, { target_type: "token_supply" });
        return { owner, contract, channel_id: await channelOf(owner) };
      }),
    );
    // What was measured for an hour is back-tested.
    h.clock.advance(3_700);
    const replies = await Promise.all(
      orgs.map(({ owner, contract, channel_id }) =>
        apply(owner, contract.id, { category: "token", channel_id, dry_run: true }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
  },
);
