import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import { harness, type Person } from "../../support/harness.ts";
import {
  addChannel,
  addContract,
  addContractWithRule,
  addRule,
  addTarget,
  freshAddress,
  freshId,
  ruleBody,
} from "../contracts/contract-steps.ts";
import { errorReply, unknownId } from "../steps.ts";

const h = await harness();
const owner = await h.personOn("enterprise");
const { contract, target } = await addContractWithRule(owner);

type ValidationErrors = { detail: { loc: (string | number)[]; msg: string }[] };

const errorFields = (body: unknown) =>
  [...new Set((body as ValidationErrors).detail.map(({ loc }) => loc.join(".")))].sort();
const create = (more: object) => owner.client.post("/alerts", ruleBody(target.id, more));
const change = (rule: Rule, body: object) => owner.client.patch(`/alerts/${rule.id}`, body);
const get = async (rule: Rule) => (await owner.client.get(`/alerts/${rule.id}`)).body as Rule;
const list = async (person: Person, query: Record<string, string> = {}) =>
  ((await person.client.get("/alerts", { query })).body as Rule[]).map((rule) => rule.id);
const versionOf = async ({ id }: Rule) =>
  (await h.app.db.selectFrom("alert_rules").select("version").where("id", "=", id).executeTakeFirst())
    ?.version;

test("a rule created with only the required fields gets the defaults", async () => {
  const reply = await create({ condition: { operator: "gte", threshold: 3 } });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    id: expect.any(String),
    escalation: [],
    name: "Transactions at least 3",
    contract_id: contract.id,
    target_id: target.id,
    target_type: target.target_type,
    policy_id: null,
    channel_id: null,
    channel_ids: [],
    record_only: true,
    agent_id: null,
    severity: "critical",
    condition: { operator: "gte", threshold: 3, window_seconds: 300 },
    for_seconds: 0,
    resolve_after_seconds: 0,
    cooldown_seconds: 300,
    renotify_seconds: null,
    notify_on_resolve: true,
    no_data: "ignore",
    mode: "live",
    confirmations: null,
    message_template: null,
    is_enabled: true,
    state: "no_data",
    last_value: null,
    last_evaluated_at: null,
    last_fired_at: null,
    external_ref: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(await get(reply.body as Rule)).toEqual(reply.body);
});

test("a rule is saved with every field it was created with", async () => {
  const given = {
    name: "Large withdrawals",
    channel_id: await addChannel(h, owner.org_id),
    channel_ids: [await addChannel(h, owner.org_id), await addChannel(h, owner.org_id)],
    agent_id: freshId(),
    severity: "warning",
    condition: {
      operator: "outside",
      threshold: -1.5,
      threshold_high: 1e21,
      aggregation: "p95",
      window_seconds: 604_800,
      match: {
        events: [{ signature: "Transfer(address,address,uint256)", expression: "$2 > 1000e18" }],
        functions: [{ signature: "transfer(address,uint256)" }],
        status: "failed",
        expression: "value >= 1 and not (gas_used < 21000)",
      },
    },
    for_seconds: 60,
    resolve_after_seconds: 120,
    cooldown_seconds: 0,
    renotify_seconds: 3600,
    notify_on_resolve: false,
    no_data: "alert",
    mode: "shadow",
    confirmations: 12,
    message_template: "{{value}}\nof {{contract}}",
    is_enabled: false,
    external_ref: "defender:7",
  };
  const reply = await create(given);
  expect(reply).toMatchObject({ status: 200, body: given });
  expect(await get(reply.body as Rule)).toMatchObject(given);
});

test.each([
  ["info", "info"],
  ["low", "info"],
  ["warning", "warning"],
  ["medium", "warning"],
  ["high", "critical"],
  ["critical", "critical"],
])("a rule with the severity %s is saved as %s", async (given, severity) => {
  const reply = await create({ severity: given });
  expect(reply).toMatchObject({ status: 200, body: { severity } });
  expect((await change(reply.body as Rule, { severity: given })).body).toMatchObject({ severity });
});

test.each([null, 1, 1000, "safe", "finalized"])(
  "a rule accepts %j for confirmations",
  async (confirmations) => {
    expect((await create({ confirmations })).body).toMatchObject({ confirmations });
  },
);

test.each(["gt", "gte", "lt", "lte", "eq", "neq", "change_pct_gt", "change_pct_lt", "anomaly"])(
  "the operator %s requires one threshold",
  async (operator) => {
    const without = await create({ condition: { operator } });
    expect([without.status, errorFields(without.body)]).toEqual([422, ["body.condition.threshold"]]);
    expect((await create({ condition: { operator, threshold: 0 } })).status).toBe(200);
  },
);

test.each(["changed", "absent"])("the operator %s requires no threshold", async (operator) => {
  expect((await create({ condition: { operator } })).status).toBe(200);
});

test.each(["between", "outside"])(
  "the operator %s requires two thresholds in ascending order",
  async (operator) => {
    const condition = (more: object) => create({ condition: { operator, ...more } });
    expect(errorFields((await condition({})).body)).toEqual([
      "body.condition.threshold",
      "body.condition.threshold_high",
    ]);
    expect(errorFields((await condition({ threshold: 1 })).body)).toEqual(["body.condition.threshold_high"]);
    expect(errorFields((await condition({ threshold: 2, threshold_high: 1 })).body)).toEqual([
      "body.condition.threshold_high",
    ]);
    expect((await condition({ threshold: 1, threshold_high: 1 })).status).toBe(200);
  },
);

test.each([
  [59, 422],
  [60, 200],
  [604_800, 200],
  [604_801, 422],
  [60.5, 422],
])("a rule with a window of %d seconds gets %d", async (window_seconds, status) => {
  const reply = await create({ condition: { operator: "gt", threshold: 1, window_seconds } });
  expect(reply.status).toBe(status);
  if (status === 422) expect(errorFields(reply.body)).toEqual(["body.condition.window_seconds"]);
});

test.each([
  ["body.severity", { severity: "catastrophic" }],
  ["body.name", { name: "x".repeat(201) }],
  ["body.for_seconds", { for_seconds: -1 }],
  ["body.resolve_after_seconds", { resolve_after_seconds: 604_801 }],
  ["body.cooldown_seconds", { cooldown_seconds: "1m" }],
  ["body.renotify_seconds", { renotify_seconds: 59 }],
  ["body.no_data", { no_data: "panic" }],
  ["body.mode", { mode: "dry" }],
  ["body.confirmations", { confirmations: 0 }],
  ["body.confirmations", { confirmations: "latest" }],
  ["body.message_template", { message_template: "x".repeat(2001) }],
  ["body.agent_id", { agent_id: "bot" }],
  ["body.channel_ids", { channel_ids: Array(21).fill(unknownId) }],
  ["body.treshold", { treshold: 1 }],
  ["body.condition.operator", { condition: { operator: "approximately", threshold: 1 } }],
  ["body.condition.treshold", { condition: { operator: "changed", treshold: 1 } }],
  ["body.condition.aggregation", { condition: { operator: "gt", threshold: 1, aggregation: "median" } }],
  ["body.condition.aggregation", { condition: { operator: "anomaly", threshold: 3, aggregation: "each" } }],
  ["body.condition.aggregation", { condition: { operator: "absent", aggregation: "each" } }],
])("a rule with an invalid %s is rejected: %j", async (field, more) => {
  const reply = await create(more);
  expect([reply.status, errorFields(reply.body)]).toEqual([422, [field]]);
  const rule = await addRule(owner, target.id);
  expect((await change(rule, more)).status).toBe(422);
  expect(await get(rule)).toEqual(rule);
});

test.each(["all", "any"])("a sixth condition in %s is rejected with a sentence", async (field) => {
  const others = Array.from({ length: 5 }, () => ({ target_id: target.id, operator: "gt", threshold: 1 }));
  const reply = await create({ condition: { operator: "gt", threshold: 1, [field]: others } });
  const msg = "must have at most 4 items";
  expect(reply).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "condition", field], msg }] },
  });
  const four = { operator: "gt", threshold: 1, [field]: others.slice(1) };
  expect((await create({ condition: four })).status).toBe(200);
});

test("a rule cannot combine all with any", async () => {
  const others = [{ target_id: target.id, operator: "gt", threshold: 1 }];
  const reply = await create({ condition: { operator: "gt", threshold: 1, all: others, any: others } });
  const detail = [{ loc: ["body", "condition", "any"], msg: "cannot be combined with all; make two rules" }];
  expect(reply).toMatchObject({ status: 422, body: { detail } });
});

const matching = (match: object) => ({ condition: { operator: "gt", threshold: 1, match } });

test("a match expression that does not parse is rejected with the position of the error", async () => {
  const reply = await create(
    matching({
      expression: "value > ",
      events: [
        { signature: "Transfer(address,address,uint256)", expression: "$0 ==" },
        { signature: "Transfer(address,address,uint256)", expression: "process.exit()" },
        { signature: "Transfer(address,address,uint256)", expression: "value > 1" },
      ],
      functions: [{ signature: "transfer(address,uint256)", expression: "a b" }],
    }),
  );
  expect([reply.status, errorFields(reply.body)]).toEqual([
    422,
    [
      "body.condition.match.events.0.expression",
      "body.condition.match.events.1.expression",
      "body.condition.match.expression",
      "body.condition.match.functions.0.expression",
    ],
  ]);
  for (const { msg } of (reply.body as ValidationErrors).detail) expect(msg).toMatch(/\(at character \d+\)$/);
  const functionError = (reply.body as ValidationErrors).detail.find(({ loc }) => loc.includes("functions"));
  expect(functionError?.msg).toContain("(at character 3)");
});

test("a name that does not exist is rejected, with the names that do", async () => {
  const reply = await create(
    matching({
      expression: "gasused > 1",
      events: [
        { signature: "Moved(address indexed who, uint256 amount)", expression: "amout > 1" },
        { signature: "Moved(address indexed who, uint256 amount)", expression: "amount > 1 and $1 > 1" },
        { signature: "Moved(address indexed who, uint256 amount)", expression: "$2 > 1" },
        { signature: "Moved(address,uint256)", expression: "anything > 1" },
      ],
      functions: [{ signature: "ping()", expression: "amount > 1" }],
    }),
  );
  expect(reply.status).toBe(422);
  const { detail } = reply.body as ValidationErrors;
  expect(Object.fromEntries(detail.map(({ loc, msg }) => [loc.slice(3).join("."), msg]))).toEqual({
    expression: expect.stringMatching(
      /^uses gasused, which does not exist; did you mean gas_used\? The names are .*gas_used/,
    ),
    "events.0.expression":
      "uses amout, which does not exist; did you mean amount? The names are who, amount, $0, $1",
    "events.2.expression":
      "uses $2, which does not exist; did you mean $0? The names are who, amount, $0, $1",
    "functions.0.expression": "uses amount, which does not exist; there are no arguments",
  });
});

test("malformed event and function signatures are rejected", async () => {
  const reply = await create(
    matching({
      events: [{ signature: "Transfer(address" }, { signature: "Transfer" }, { signature: "Moved(addres)" }],
      functions: [{ signature: "transfer(address,uint256))" }, { signature: "ok(uint256)" }],
    }),
  );
  expect([reply.status, errorFields(reply.body)]).toEqual([
    422,
    [
      "body.condition.match.events.0.signature",
      "body.condition.match.events.1.signature",
      "body.condition.match.events.2.signature",
      "body.condition.match.functions.0.signature",
    ],
  ]);
});

test("all errors of a rule are reported in one reply", async () => {
  const reply = await owner.client.post("/alerts", {
    ...ruleBody(unknownId, { ...matching({ expression: "(" }), channel_id: unknownId }),
  });
  expect(errorFields(reply.body)).toEqual([
    "body.channel_id",
    "body.condition.match.expression",
    "body.target_id",
  ]);
});

test("a channel of another org is rejected like an unknown one", async () => {
  const stranger = await h.person();
  const foreign = await addChannel(h, stranger.org_id);
  const own = await addChannel(h, owner.org_id);
  for (const id of [foreign, unknownId]) {
    const reply = await create({ channel_id: id, channel_ids: [own, id] });
    expect([reply.status, errorFields(reply.body)]).toEqual([422, ["body.channel_id", "body.channel_ids.1"]]);
  }
  const rule = await addRule(owner, target.id, { channel_id: own });
  expect((await change(rule, { channel_id: foreign })).status).toBe(422);
  expect((await change(rule, { channel_ids: [foreign] })).status).toBe(422);
  expect(await get(rule)).toEqual(rule);
  expect((await change(rule, { channel_id: null, record_only: true })).body).toMatchObject({
    channel_id: null,
    record_only: true,
  });
});

test("ids are case-insensitive", async () => {
  const owner = await h.person();
  const { target, rule } = await addContractWithRule(owner);
  const channel_id = await addChannel(h, owner.org_id);
  const capitals = { channel_id: channel_id.toUpperCase(), channel_ids: [channel_id.toUpperCase()] };
  const reply = await owner.client.post("/alerts", ruleBody(target.id.toUpperCase(), capitals));
  expect(reply).toMatchObject({
    status: 200,
    body: { target_id: target.id, channel_id, channel_ids: [channel_id] },
  });
  const backtest = { target_id: target.id.toUpperCase(), condition: { operator: "absent" } };
  expect((await owner.client.post("/alerts/backtest", backtest)).status).toBe(200);
  expect((await owner.client.get(`/alerts/${rule.id.toUpperCase()}`)).body).toMatchObject({ id: rule.id });
});

test("a rule on a target of another org is rejected", async () => {
  const stranger = await h.person();
  const { target: foreign } = await addContractWithRule(stranger);
  const reply = await owner.client.post("/alerts", ruleBody(foreign.id));
  expect([reply.status, errorFields(reply.body)]).toEqual([422, ["body.target_id"]]);
  const rule = await addRule(owner, target.id);
  expect((await change(rule, { target_id: foreign.id })).status).toBe(422);
});

test("a rule update keeps the fields it leaves out", async () => {
  const rule = await addRule(owner, target.id, { agent_id: freshId(), confirmations: "safe" });
  h.clock.advance(5);
  const renamed = (await change(rule, { name: "Louder" })).body as Rule;
  expect(renamed).toEqual({ ...rule, name: "Louder", updated_at: renamed.updated_at });
  expect(renamed.updated_at > rule.updated_at).toBe(true);
  expect((await change(rule, { confirmations: null, agent_id: null })).body).toMatchObject({
    confirmations: null,
    agent_id: null,
    name: "Louder",
  });
});

test("a rule's version increases when its condition or target changes or it is disabled, and only then", async () => {
  const rule = await addRule(owner, target.id, { condition: { operator: "gt", threshold: 1 } });
  const after = async (body: object) => {
    expect((await change(rule, body)).status).toBe(200);
    return versionOf(rule);
  };
  expect(await versionOf(rule)).toBe(1);
  expect(await after({ name: "Louder", severity: "info", is_enabled: true, cooldown_seconds: 5 })).toBe(1);
  expect(await after({ condition: rule.condition })).toBe(1);
  expect(await after({ target_id: rule.target_id })).toBe(1);
  expect(await after({ condition: { threshold: 1, operator: "gt" } })).toBe(1);
  expect(await after({ condition: { operator: "gt", threshold: 2 } })).toBe(2);
  expect(await after({ condition: { operator: "gt", threshold: 2, window_seconds: 600 } })).toBe(3);
  const elsewhere = await addTarget(owner, contract.id, { target_type: "unique_callers" });
  expect(await after({ target_id: elsewhere.id })).toBe(4);
  expect(await after({ is_enabled: false })).toBe(5);
  expect(await after({ is_enabled: true })).toBe(5);
});

test("a rule can be moved to a contract on another chain", async () => {
  const rule = await addRule(owner, target.id);
  const there = await addContract(owner, { chain: "ethereum" });
  const target_id = (await addTarget(owner, there.id)).id;
  const newest = async (id: string) =>
    h.app.db
      .selectFrom("watch_versions")
      .select(["chain", "changed"])
      .where("contract_id", "=", id)
      .executeTakeFirst();
  const before = [await newest(contract.id), await newest(there.id)];
  expect((await change(rule, { target_id })).body).toMatchObject({ target_id, contract_id: there.id });
  const after = [await newest(contract.id), await newest(there.id)];
  expect(after.map((one) => one?.chain)).toEqual(["local", "ethereum"]);
  for (const [index, one] of after.entries())
    expect(Number(one?.changed)).toBeGreaterThan(Number(before[index]?.changed));
});

test("rules are listed newest first and can be filtered by contract and agent", async () => {
  const ada = await h.person();
  const [agent_id, first, second] = [
    freshId(),
    await addContractWithRule(ada),
    await addContractWithRule(ada),
  ];
  h.clock.advance(1);
  const third = await addRule(ada, second.target.id, { agent_id });
  expect(await list(ada)).toEqual([third.id, second.rule.id, first.rule.id]);
  expect(await list(ada, { contract_id: first.contract.id })).toEqual([first.rule.id]);
  expect(await list(ada, { agent_id })).toEqual([third.id]);
  expect(await list(ada, { agent_id, contract_id: first.contract.id })).toEqual([]);
  expect(await list(ada, { contract_id: contract.id })).toEqual([]);
  for (const query of [{ contract_id: "7" }, { agent_id: "bot" }, { severity: "loud" }, { colour: "red" }])
    expect((await ada.client.get("/alerts", { query: query as Record<string, string> })).status).toBe(422);
});

test("a rule shows its current state and when it last fired", async () => {
  const rule = await addRule(owner, target.id);
  const last_fired_at = Math.floor(h.clock.now().getTime() / 1000);
  const state = (phase: string) => JSON.stringify({ phase, last_fired_at });
  for (const [height, phase] of [
    [5, "pending"],
    [6, "firing"],
  ] as const) {
    await h.app.db
      .insertInto("rule_states")
      .values({
        rule_id: rule.id,
        rule_version: 1,
        chain: "local",
        height: String(height),
        state: state(phase),
      })
      .execute();
    expect(await get(rule)).toMatchObject({
      state: phase,
      last_fired_at: new Date(last_fired_at * 1000).toISOString(),
    });
  }
});

test.each([
  ["ok", "ok"],
  ["no_data", "no_data"],
  ["error", "error"],
  ["unsupported", "error"],
] as const)(
  "a rule on a target with status %s has the state %s until it is evaluated",
  async (status, state) => {
    const { target: own, rule } = await addContractWithRule(owner);
    const last_value_at = h.clock.now();
    await h.app.db
      .updateTable("targets")
      .set({ status, last_value: 7, last_value_at })
      .where("id", "=", own.id)
      .execute();
    expect(await get(rule)).toMatchObject({
      state,
      last_value: 7,
      last_evaluated_at: last_value_at.toISOString(),
    });
  },
);

test("a deleted rule gets 404", async () => {
  const rule = await addRule(owner, target.id);
  const path = `/alerts/${rule.id}`;
  expect(await owner.client.delete(path)).toMatchObject({ status: 200, body: { ok: true } });
  for (const reply of [
    await owner.client.get(path),
    await owner.client.delete(path),
    await change(rule, { name: "x" }),
  ])
    expect(reply).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.get(`${path}/history`)).toMatchObject(errorReply(404, "not_found"));
});

const ruleQuotas = [
  ["free", 10],
  ["pro", 200],
] as const;
test.each(process.env.TEST_LONG ? ruleQuotas : ruleQuotas.slice(0, 1))(
  "the %s tier allows %d rules over all contracts",
  async (tier, quota) => {
    const ada = await h.personOn(tier);
    const [first, second] = [await addContractWithRule(ada), await addContractWithRule(ada)];
    for (let count = 2; count < quota; count++) await addRule(ada, first.target.id);
    const over = () => ada.client.post("/alerts", ruleBody(second.target.id));
    expect(await over()).toMatchObject(errorReply(403, "quota_exceeded"));
    expect((await ada.client.patch(`/alerts/${second.rule.id}`, { name: "Still mine" })).status).toBe(200);
    await ada.client.delete(`/contracts/${first.contract.id}`);
    expect((await over()).status).toBe(200);
  },
);

test("every change of a rule, target or contract raises the engine's watch version", async () => {
  const own = await addContractWithRule(owner, { address: freshAddress() });
  const newest = async () =>
    Number(
      (
        await h.app.db
          .selectFrom("watch_versions")
          .select("changed")
          .where("contract_id", "=", own.contract.id)
          .executeTakeFirst()
      )?.changed,
    );
  let last = await newest();
  for (const act of [
    () => change(own.rule, { name: "x" }),
    () => change(own.rule, { is_enabled: false }),
    () => owner.client.patch(`/targets/${own.target.id}`, { is_enabled: false }),
    () => owner.client.patch(`/contracts/${own.contract.id}`, { label: "x" }),
    () => owner.client.post(`/contracts/${own.contract.id}/pause`),
    () => owner.client.post(`/contracts/${own.contract.id}/resume`),
    () => owner.client.delete(`/alerts/${own.rule.id}`),
    () => owner.client.delete(`/targets/${own.target.id}`),
    () => owner.client.delete(`/contracts/${own.contract.id}`),
  ]) {
    expect((await act()).status).toBe(200);
    const now = await newest();
    expect(now).toBeGreaterThan(last);
    last = now;
  }
});
