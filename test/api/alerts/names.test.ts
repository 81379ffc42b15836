import { expect, test } from "vitest";
import { meters } from "../../../src/meters/index.ts";
import { harness } from "../../support/harness.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const owner = await h.personOn("enterprise");
const { client } = owner;
let next = 1;

const abi = [
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Paused(address account)",
  "function withdraw(uint256 amount)",
  "function totalAssets() view returns (uint256)",
];

type Issue = { loc: (string | number)[]; msg: string };

/** Creates a contract with one target and returns the ids of both. */
async function watch(target: object, more: object = {}) {
  const address = `0x${String(next++).padStart(40, "0")}`;
  const reply = await client.post("/contracts", {
    chain: "local",
    address,
    selected_targets: [target],
    ...more,
  });
  if (reply.status !== 200 && reply.status !== 201) throw new Error(reply.text);
  const { id: contract_id } = reply.body as { id: string };
  const [first] = (await client.get(`/contracts/${contract_id}/targets`)).body as { id: string }[];
  return { contract_id, target_id: first?.id ?? "" };
}

async function createRule(target_id: string, condition: object, more: object = {}) {
  const reply = await client.post("/alerts", {
    target_id,
    severity: "info",
    record_only: true,
    condition,
    ...more,
  });
  const issues = reply.status === 422 ? (reply.body as { detail: Issue[] }).detail : [];
  return { reply, issues: issues.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`) };
}

const transfers = {
  target_type: "event_frequency",
  config: { event_signature: "Transfer(address indexed from, address indexed to, uint256 value)" },
};
const atLeastOne = { operator: "gte", threshold: 1, aggregation: "count" };

test("a misspelt name in an expression is rejected with the names that exist and the nearest one", async () => {
  const { target_id } = await watch({ target_type: "tx_rate" }, { abi });
  const match = {
    expression: "gasused > 1",
    events: [{ signature: "Transfer(address,address,uint256)", expression: "valeu > 1" }],
    functions: [{ signature: "withdraw(uint256)", expression: "amout > 1" }],
  };
  const { issues } = await createRule(target_id, { ...atLeastOne, match });
  expect(issues).toEqual([
    expect.stringMatching(
      /^condition\.match\.expression uses gasused.*did you mean gas_used\? The names are hash/,
    ),
    expect.stringMatching(
      /^condition\.match\.events\.0\.expression uses valeu.*did you mean value\? .*from, to, value/,
    ),
    expect.stringMatching(/^condition\.match\.functions\.0\.expression uses amout.*did you mean amount\?/),
  ]);
});

test("an event or function that a known ABI does not have is rejected with the nearest one", async () => {
  const { target_id } = await watch({ target_type: "tx_rate" }, { abi });
  const match = {
    events: [{ signature: "Transfers(address,address,uint256)" }],
    functions: [{ signature: "withdrawAll(uint256)" }],
  };
  const { issues } = await createRule(target_id, { ...atLeastOne, match });
  expect(issues).toEqual([
    expect.stringMatching(
      /events\.0\.signature is not an event of the contract.*did you mean Transfer\(address,address,uint256\)\?/,
    ),
    expect.stringMatching(
      /functions\.0\.signature is not a function of the contract.*did you mean withdraw\(uint256\)\?/,
    ),
  ]);
  const unknown = await watch({ target_type: "tx_rate" });
  expect((await createRule(unknown.target_id, { ...atLeastOne, match })).reply.status).toBe(200);
});

test("names in the config of a target are checked when it is created, changed or part of a new contract", async () => {
  const { contract_id, target_id } = await watch(transfers, { abi });
  const wrong = {
    target_type: "event_value",
    config: { event_signature: "Transfer(address from, address to, uint256 value)", arg: "amount" },
  };
  const created = await client.post(`/contracts/${contract_id}/targets`, wrong);
  expect(created.status).toBe(422);
  expect(created.text).toContain("the names are from, to, value");
  const changed = await client.patch(`/targets/${target_id}`, {
    config: { ...transfers.config, filter: "valu > 1" },
  });
  expect(changed.status).toBe(422);
  expect(changed.text).toContain("did you mean value?");
  const view = { target_type: "view_function", config: { signature: "totalAsset() view returns (uint256)" } };
  const address = `0x${"9".repeat(40)}`;
  const contract = await client.post("/contracts", {
    chain: "local",
    address,
    abi,
    selected_targets: [view],
  });
  expect(contract.status).toBe(422);
  expect(contract.body).toMatchObject({
    detail: [{ loc: ["body", "selected_targets", 0, "config", "signature"] }],
  });
  expect(contract.text).toContain("did you mean totalAssets()?");
});

test("a variable of a message that does not exist is rejected; the arguments of the event exist", async () => {
  const { target_id } = await watch(transfers);
  const template = "{{contract.label}} {{ args.to }} {{args.amount}} {{valeu}} {{tx.hash}} {{contract}}";
  const { issues } = await createRule(target_id, atLeastOne, { message_template: template });
  expect(issues).toEqual([
    expect.stringMatching(/^message_template uses {{args\.amount}}.*did you mean args\.\$?/),
    expect.stringMatching(/^message_template uses {{valeu}}.*did you mean value\?/),
  ]);
  const good = "{{contract.label}} sent {{args.value}} to {{args.to}} in {{tx.hash}}";
  expect((await createRule(target_id, atLeastOne, { message_template: good })).reply.status).toBe(200);
});

test("a threshold must fit the unit: a share is at most 1, and a percentage is offered", async () => {
  const { target_id } = await watch({ target_type: "revert_rate" });
  const { issues } = await createRule(target_id, { operator: "gt", threshold: 30 });
  expect(issues).toEqual(["condition.threshold is a share from 0 to 1, not 30; for 30 % use 0.3"]);
  expect((await createRule(target_id, { operator: "gt", threshold: 0.3 })).reply.status).toBe(200);
  const each = await createRule(target_id, { operator: "gt", threshold: 0.3, aggregation: "each" });
  expect(each.issues).toEqual([expect.stringContaining("revert_rate is computed over a window")]);
});

test("a condition on single readings that count one can never hold for another number", async () => {
  const { target_id } = await watch({ target_type: "ownership_change" });
  const many = await createRule(target_id, { operator: "gte", threshold: 3, aggregation: "each" });
  expect(many.issues).toEqual([expect.stringContaining("use the aggregation count")]);
  // Without an aggregation, a threshold above one counts over the window.
  expect((await createRule(target_id, { operator: "gte", threshold: 3 })).issues).toEqual([]);
  const changed = await createRule(target_id, { operator: "changed" });
  expect(changed.issues).toEqual([expect.stringContaining("use gte with the threshold 1")]);
});

test("a window on polled state holds at least two readings, and does so by default", async () => {
  const free = await h.personOn("free");
  const reply = await free.client.post("/contracts", {
    chain: "local",
    address: `0x${"8".repeat(40)}`,
    selected_targets: [{ target_type: "native_balance" }],
  });
  const { id } = reply.body as { id: string };
  const [target] = (await free.client.get(`/contracts/${id}/targets`)).body as { id: string }[];
  const body = {
    target_id: target?.id,
    severity: "info",
    record_only: true,
    condition: { operator: "lt", threshold: 5 },
  };
  const created = await free.client.post("/alerts", body);
  expect(created.body).toMatchObject({ condition: { window_seconds: 600 } });
  const short = await free.client.post("/alerts", {
    ...body,
    condition: { ...body.condition, window_seconds: 300 },
  });
  expect(short.status).toBe(422);
  expect(short.text).toContain("must be at least 600: the state is read every 300 seconds");
});

test("an unchanged condition is not checked again, so that a rule from before the checks can be renamed", async () => {
  const { target_id } = await watch({ target_type: "revert_rate" });
  const { reply } = await createRule(target_id, { operator: "gt", threshold: 0.3, window_seconds: 300 });
  const { id } = reply.body as { id: string };
  const stored = { operator: "gt", threshold: 30, window_seconds: 300 };
  await h.app.db
    .updateTable("alert_rules")
    .set({ condition: JSON.stringify(stored) })
    .where("id", "=", id)
    .execute();
  expect((await client.patch(`/alerts/${id}`, { name: "New", condition: stored })).status).toBe(200);
  const changed = await client.patch(`/alerts/${id}`, { condition: { ...stored, threshold: 40 } });
  expect(changed.status).toBe(422);
});

test("an unknown target type is reported with the nearest one, by the target, the contract and a plan", async () => {
  const { contract_id, target_id } = await watch({ target_type: "tx_rates" });
  const sentence = "There is no target type tx_rates; did you mean tx_rate?";
  const targets = (await client.get(`/contracts/${contract_id}/targets`)).body;
  expect(targets).toMatchObject([{ id: target_id, status: "unsupported" }]);
  expect(JSON.stringify(targets)).toContain(sentence);
  expect((await client.get(`/contracts/${contract_id}`)).body).toMatchObject({
    status_code: "unsupported_targets",
    status_reason: expect.stringContaining(sentence),
  });
  await client.post(`/contracts/${contract_id}/targets`, { target_type: "tx_rate" });
  expect((await client.get(`/contracts/${contract_id}`)).body).toMatchObject({ status_code: null });
  const document = {
    version: 1,
    contracts: [{ chain: "local", address: `0x${"7".repeat(40)}`, targets: [{ target_type: "tx_rates" }] }],
  };
  const plan = await client.post("/config/apply", document, { query: { dry_run: "true" } });
  expect(plan.body).toMatchObject({
    errors: [],
    warnings: [
      { loc: ["body", "contracts", 0, "targets", 0, "target_type"], msg: expect.stringContaining(sentence) },
    ],
  });
});

test("a document with a name that does not exist is rejected at its place", async () => {
  const rule = {
    name: "Bad",
    severity: "info",
    record_only: true,
    condition: atLeastOne,
    message_template: "{{valeu}}",
  };
  const document = {
    version: 1,
    contracts: [
      {
        chain: "local",
        address: `0x${"6".repeat(40)}`,
        targets: [{ ...transfers, config: { ...transfers.config, filter: "amount > 1" }, rules: [rule] }],
      },
    ],
  };
  const plan = await client.post("/config/apply", document, { query: { dry_run: "true" } });
  const { errors } = plan.body as { errors: Issue[] };
  const at = ["body", "contracts", 0, "targets", 0];
  expect(errors.map(({ loc }) => loc)).toEqual([
    [...at, "config", "filter"],
    [...at, "rules", 0, "message_template"],
  ]);
});

test("the target types are listed with their config, unit, default aggregation and an example that can be created", async () => {
  const reply = await h.anonymous().get("/target-types");
  expect(reply.status).toBe(200);
  const types = reply.body as { target_type: string; families: string[]; example: object; unit: string }[];
  expect(types.map(({ target_type }) => target_type)).toEqual(meters.map(({ type }) => type));
  expect(types.find(({ target_type }) => target_type === "large_transfer")).toMatchObject({
    unit: "units",
    default_aggregation: "each",
    window_aggregation: "max",
    config_schema: { type: "object", properties: { min_amount: { type: "number" } } },
  });
  const [first] = types;
  const { contract_id } = await watch(first?.example ?? {});
  for (const { families, example } of types.slice(1)) {
    if (!families.includes("evm")) continue;
    const created = await client.post(`/contracts/${contract_id}/targets`, example);
    expect([example, created.status]).toEqual([example, 201]);
  }
});
