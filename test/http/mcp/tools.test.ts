import { expect, test } from "vitest";
import { tools } from "../../../src/http/mcp/tools.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { ConfigDocument } from "../../../src/wire/imports/configuration.ts";
import {
  addContractWithRule,
  freshAddress,
  recordEvent,
  ruleBody,
} from "../../api/contracts/contract-steps.ts";
import { makeKey } from "../../api/orgs/keys.ts";
import { unknownId } from "../../api/steps.ts";
import { atLeast, emits, makeWorld, transfers } from "../../pipeline/world.ts";
import { connect } from "./agent.ts";

const world = await makeWorld();
const { h, owner } = world;
const baseUrl = await h.server.listen({ port: 0, host: "127.0.0.1" });
const { key, id: key_id } = await makeKey(owner);

test("an agent adds a contract, a target and a rule, and reads them", async () => {
  const agent = await connect(baseUrl, key);
  const { value: contract } = await agent.call("create_contract", {
    chain: "local",
    address: freshAddress(),
    label: "Vault",
  });
  const contract_id = String(contract.id);
  expect((await agent.call("get_contract", { contract_id })).value).toMatchObject({ label: "Vault" });
  const target = await agent.call("create_target", { contract_id, target_type: "tx_rate" });
  const target_id = String(target.value.id);
  const rule = await agent.call("create_rule", ruleBody(target_id, { name: "Busy" }));
  expect(rule.value).toMatchObject({
    created: true,
    rule: { name: "Busy", target_id },
    backtest: { samples: 0 },
  });
  expect((await agent.call("list_rules", { contract_id })).value).toMatchObject({
    items: [{ name: "Busy" }],
  });
  expect((await agent.call("list_targets", { contract_id })).value).toMatchObject({
    items: [{ id: target_id }],
  });
});

test("a change by an agent is in the audit log as one of its key", async () => {
  const agent = await connect(baseUrl, key);
  await agent.call("create_contract", { chain: "local", address: freshAddress() });
  const { body } = await owner.client.get("/audit-log?limit=1");
  expect(body).toMatchObject([{ action: "contract.created", actor: { type: "api_key", id: key_id } }]);
});

test("a rule that would have fired too often is not created, and the reply has a threshold", async () => {
  const target_id = await world.watch(transfers);
  await world.catchUp();
  world.chain.mine([], { time: Math.floor(h.clock.now().getTime() / 1000) });
  for (let blocks = 0; blocks < 60; blocks++) world.chain.mine(blocks % 12 === 0 ? [emits(1)] : []);
  await world.catchUp();
  const agent = await connect(baseUrl, key);
  const rule = { ...ruleBody(target_id), condition: atLeast(1, 60) };
  const { value } = await agent.call("create_rule", rule);
  expect(value).toMatchObject({
    created: false,
    advice: expect.stringMatching(/would have fired .+ times a day/),
  });
  expect((value.backtest as { episodes_total: number }).episodes_total).toBeGreaterThan(1);
  const { body: rules } = await owner.client.get("/alerts");
  expect((rules as { target_id: string }[]).filter((one) => one.target_id === target_id)).toEqual([]);
  const allowed = await agent.call("create_rule", { ...rule, max_fires_per_day: 1_000_000 });
  expect(allowed.value).toMatchObject({ created: true });
  const invalid = await agent.call("create_rule", { ...rule, max_fires_per_day: "many" });
  expect([invalid.isError, invalid.text]).toEqual([
    true,
    expect.stringContaining("- max_fires_per_day: must be"),
  ]);
});

test("an agent finds an event, explains it, acknowledges it and silences its contract", async () => {
  const { contract, target, rule } = await addContractWithRule(owner);
  const event_id = await recordEvent(h, owner.org_id, { contract, target, rule });
  const agent = await connect(baseUrl, key);
  const found = await agent.call("search_history", { contract_id: contract.id });
  expect(found.value).toMatchObject({ items: [{ id: event_id, status: "firing" }] });
  const { value: event } = await agent.call("explain_event", { event_id });
  expect(event).toMatchObject({ id: event_id, explanation: expect.any(Object) });
  await agent.call("acknowledge_events", { event_ids: [event_id] });
  expect((await agent.call("explain_event", { event_id })).value).toMatchObject({ status: "acknowledged" });
  const silence = await agent.call("create_silence", {
    contract_id: contract.id,
    reason: "Upgrade",
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect((await agent.call("list_silences")).value).toMatchObject({ items: [{ id: silence.value.id }] });
  await agent.call("end_silence", { silence_id: silence.value.id });
  expect((await agent.call("list_silences")).value).toMatchObject({ items: [] });
});

test("an agent plans a configuration without changing anything, then applies it", async () => {
  const agent = await connect(baseUrl, key);
  const document = { version: 1, contracts: [{ chain: "local", address: freshAddress(), label: "Planned" }] };
  const { value: plan } = await agent.call("plan_configuration", document);
  expect(plan).toMatchObject({ dry_run: true, summary: { create: 1 } });
  const labels = async () =>
    ((await owner.client.get("/config")).body as ConfigDocument).contracts?.map(({ label }) => label);
  expect(await labels()).not.toContain("Planned");
  // A tool that plans cannot be made to apply.
  await agent.call("plan_configuration", { ...document, dry_run: false });
  expect(await labels()).not.toContain("Planned");
  expect((await agent.call("apply_configuration", document)).value).toMatchObject({ dry_run: false });
  expect(await labels()).toContain("Planned");
  const exported = await agent.call("export_configuration");
  expect(exported.value).toMatchObject({ version: 1 });
});

test("lists are read by page", async () => {
  const agent = await connect(baseUrl, key);
  for (let n = 0; n < 3; n++)
    await agent.call("create_contract", { chain: "local", address: freshAddress() });
  const first = await agent.call("list_contracts", { limit: 2 });
  const second = await agent.call("list_contracts", { limit: 2, cursor: first.value.next_cursor });
  const ids = [first, second].flatMap(({ value }) => (value.items as Contract[]).map(({ id }) => id));
  expect(new Set(ids).size).toBe(4);
});

test("invalid arguments are all reported by name, and an unknown tool by the names that exist", async () => {
  const agent = await connect(baseUrl, key);
  const { isError, text } = await agent.call("create_contract", {
    chain: "nowhere",
    label: 5,
    colour: "red",
  });
  expect(isError).toBe(true);
  for (const name of ["chain", "address", "label", "colour"]) expect(text).toContain(`- ${name}`);
  const missing = await agent.call("get_contract");
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining("- contract_id")]);
  // A value that is a path of another operation does not reach it.
  const other = await agent.call("get_rule", { rule_id: "history" });
  expect([other.isError, other.text]).toEqual([true, expect.stringContaining("- rule_id")]);
  const extra = await agent.call("list_chains", { colour: "red" });
  expect([extra.isError, extra.text]).toEqual([true, expect.stringContaining("- colour")]);
  await expect(agent.call("drop_tables")).rejects.toThrow(
    /There is no tool drop_tables\. Use one of: list_chains, /,
  );
});

test("an error of an operation says what to do", async () => {
  const agent = await connect(baseUrl, key);
  const { isError, text } = await agent.call("get_contract", { contract_id: unknownId });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^There is no .+ What to do: .+ \(not_found\)$/),
  ]);
});

test("every tool has a description and a schema without references, and says whether it changes something", async () => {
  const agent = await connect(baseUrl, key);
  const { tools: listed } = await agent.client.listTools();
  expect(listed.map(({ name }) => name)).toEqual([...tools().keys()]);
  for (const { name, description, inputSchema, annotations } of listed) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    expect(JSON.stringify(inputSchema)).not.toContain("$ref");
    expect(inputSchema.type).toBe("object");
    expect([name, annotations?.readOnlyHint]).toEqual([
      name,
      /^(list|get|analyse|search|explain|export)_/.test(name),
    ]);
  }
  const plan = listed.find(({ name }) => name === "plan_configuration");
  expect(Object.keys(plan?.inputSchema.properties ?? {})).toEqual(
    expect.arrayContaining(["version", "contracts"]),
  );
  expect(plan?.inputSchema.properties).not.toHaveProperty("dry_run");
});

test("contracts and events are resources", async () => {
  const { contract, target, rule } = await addContractWithRule(owner);
  const event_id = await recordEvent(h, owner.org_id, { contract, target, rule });
  const { client } = await connect(baseUrl, key);
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris).toEqual(
    expect.arrayContaining([`tocsin://contracts/${contract.id}`, `tocsin://events/${event_id}`]),
  );
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toHaveLength(2);
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(content && "text" in content ? content.text : "{}") as object;
  };
  expect(await read(`tocsin://contracts/${contract.id}`)).toMatchObject({ address: contract.address });
  expect(await read(`tocsin://events/${event_id}`)).toMatchObject({ rule_id: rule.id });
  await expect(read(`tocsin://events/${unknownId}`)).rejects.toMatchObject({ code: -32602 });
  await expect(read("tocsin://keys/1")).rejects.toThrow("tocsin://contracts/{contract_id}");
});
