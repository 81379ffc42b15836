import { expect, test } from "vitest";
import type { NewEvent } from "../../../src/store/engine/alert-events.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import { goodPassword, harness, type Person } from "../../support/harness.ts";
import { addContractWithRule, addRule, freshId, recordEvent } from "../contracts/contract-steps.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";

const h = await harness();
const start = Date.UTC(2026, 5, 1);
/** The time some seconds after 1 June 2026. */
const timeAt = (seconds: number) => new Date(start + seconds * 1000);

type Query = Record<string, string>;

async function makeMonitored() {
  const owner = await teamAdmin(h);
  const about = await addContractWithRule(owner);
  const fire = (seconds: number, more: Partial<NewEvent> = {}) =>
    recordEvent(h, owner.org_id, about, { fired_at: timeAt(seconds), ...more });
  const read = async (query: Query = {}, person: Person = owner, path = "/alerts/history") =>
    ((await person.client.get(path, { query })).body as AlertEvent[]).map((event) => event.id);
  return { owner, ...about, fire, read };
}

test("an event is returned with every field", async () => {
  const { owner, contract, target, rule, fire } = await makeMonitored();
  const agent_id = freshId();
  const id = await fire(0, {
    agent_id,
    value: 0.5,
    threshold: null,
    block_number: "23812345",
    block_hash: "0x02",
    tx_hash: "0x03",
    log_index: 4,
    explanation: JSON.stringify({ reason: "first_breach", samples_in_window: 2 }),
  });
  const { body, status } = await owner.client.get(`/alerts/events/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id,
    group: null,
    kind: "fired",
    status: "firing",
    rule_id: rule.id,
    rule_name: rule.name,
    contract_id: contract.id,
    agent_id,
    chain: "local",
    chain_id: 31337,
    target_id: target.id,
    target_type: "tx_rate",
    severity: "critical",
    title: "Too many transactions",
    message: expect.any(String),
    value: 0.5,
    threshold: null,
    operator: "gt",
    unit: "transactions",
    window_seconds: 300,
    fired_at: timeAt(0).toISOString(),
    detected_at: expect.any(String),
    resolved_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: 23812345,
    block_hash: "0x02",
    tx_hash: "0x03",
    log_index: 4,
    finality: "pending",
    explanation: { reason: "first_breach", samples_in_window: 2 },
    deliveries: [],
    created_at: expect.any(String),
  });
  expect((await owner.client.get("/alerts/history")).body).toEqual([body]);
});

test("events are listed newest first, and by id within the same time", async () => {
  const { fire, read } = await makeMonitored();
  const ids = Array.from({ length: 6 }, freshId).sort();
  const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
  for (const [id, seconds] of [
    [c, 5],
    [a, 9],
    [f, 5],
    [b, 5],
    [d, 1],
    [e, 9],
  ] as const)
    await fire(seconds, { id });
  const expected = [e, a, f, c, b, d];
  expect(await read()).toEqual(expected);
  expect(await read()).toEqual(expected);
  const pages = [];
  for (let offset = 0; offset < 7; offset++)
    pages.push(...(await read({ limit: "1", offset: String(offset) })));
  expect(pages).toEqual(expected);
});

test("events can be filtered by contract, agent and severity, alone and combined", async () => {
  const { owner, contract, fire, read } = await makeMonitored();
  const elsewhere = await addContractWithRule(owner);
  const agent_id = freshId();
  const first = await fire(1, { severity: "info" });
  const second = await fire(2, { severity: "warning", agent_id });
  const third = await recordEvent(h, owner.org_id, elsewhere, { fired_at: timeAt(3), agent_id });
  expect(await read({ contract_id: contract.id })).toEqual([second, first]);
  expect(await read({ contract_id: elsewhere.contract.id })).toEqual([third]);
  expect(await read({ agent_id })).toEqual([third, second]);
  expect(await read({ severity: "info" })).toEqual([first]);
  expect(await read({ severity: "critical" })).toEqual([third]);
  expect(await read({ agent_id, contract_id: contract.id, severity: "warning" })).toEqual([second]);
  expect(await read({ agent_id, severity: "info" })).toEqual([]);
  expect(await read({ contract_id: unknownId })).toEqual([]);
});

test("events can be filtered by an inclusive time range in any time zone", async () => {
  const { fire, read } = await makeMonitored();
  const [first, second, third] = [await fire(0), await fire(60), await fire(120)];
  expect(await read({ from: timeAt(60).toISOString() })).toEqual([third, second]);
  expect(await read({ to: timeAt(60).toISOString() })).toEqual([second, first]);
  expect(await read({ from: timeAt(60).toISOString(), to: timeAt(60).toISOString() })).toEqual([second]);
  expect(await read({ from: "2026-06-01T02:01:00+02:00", to: "2026-05-31T22:01:00-02:00" })).toEqual([
    second,
  ]);
  expect(await read({ from: "2026-06-01T00:01:00Z" })).toEqual([third, second]);
});

test.each([
  { limit: "0" },
  { limit: "201" },
  { limit: "1.5" },
  { limit: "ten" },
  { limit: "" },
  { offset: "-1" },
  { offset: "10001" },
  { from: "yesterday" },
  { from: "2026-06-01" },
  { to: "2026-02-30T00:00:00Z" },
  { from: "2026-06-01T00:00:01Z", to: "2026-06-01T00:00:00Z" },
  { severity: "loud" },
  { contract_id: "7" },
  { agent_id: "bot" },
  { page: "2" },
])("the history query %j gets 422, for all events and for one rule", async (query) => {
  const { owner, rule } = await makeMonitored();
  for (const path of ["/alerts/history", `/alerts/${rule.id}/history`]) {
    const reply = await owner.client.get(path, { query: query as Query });
    const [name] = Object.keys(query);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", name] }] } });
  }
});

test("a page holds 200 events by default, and offsets up to 10,000 are accepted", async () => {
  const { owner, fire, read } = await makeMonitored();
  for (let count = 0; count < 203; count++) await fire(count);
  const all = await read();
  expect(all).toHaveLength(200);
  expect(await read({ limit: "200" })).toEqual(all);
  expect(await read({ limit: "2" })).toEqual(all.slice(0, 2));
  expect(await read({ offset: "200" })).toHaveLength(3);
  expect(await owner.client.get("/alerts/history", { query: { offset: "10000" } })).toMatchObject({
    status: 200,
    body: [],
  });
});

test("pages with a fixed `to` do not shift when new events arrive", async () => {
  const { fire, read } = await makeMonitored();
  for (let count = 0; count < 7; count++) await fire(count);
  const to = timeAt(6).toISOString();
  const all = await read({ to });
  const pages = [];
  for (let offset = 0; offset < 8; offset += 2) {
    await fire(100 + offset);
    pages.push(...(await read({ to, limit: "2", offset: String(offset) })));
  }
  expect(pages).toEqual(all);
  expect(pages).toHaveLength(7);
});

/** The fields of an event that fired some seconds ago. */
const ago = (seconds: number) => ({ fired_at: new Date(h.clock.now().getTime() - seconds * 1000) });

test("events detected after a recent `to` stay out of its pages for 15 minutes", async () => {
  const { fire, read } = await makeMonitored();
  for (let count = 0; count < 6; count++) await fire(0, ago(100 + 10 * count));
  const to = h.clock.now().toISOString();
  h.clock.advance(1);
  const page = (offset: number) => read({ to, limit: "2", offset: String(offset) });
  const first = await page(0);
  const late = [await fire(0, ago(50)), await fire(0, ago(126))];
  h.clock.advance(20);
  late.push(await fire(0, ago(60)));
  const pages = [...first, ...(await page(2)), ...(await page(4)), ...(await page(6))];
  expect([pages.length, new Set(pages).size]).toEqual([6, 6]);
  expect(await page(0)).toEqual(first);
  expect(await read()).toEqual(expect.arrayContaining(late));
  h.clock.advance(15 * 60);
  expect(await page(0)).not.toEqual(first);
  expect(await read({ to })).toEqual(expect.arrayContaining(late));
});

test("a result that fits on one page includes events detected after a recent `to`", async () => {
  const { fire, read } = await makeMonitored();
  const early = await fire(0, ago(20));
  const to = h.clock.now().toISOString();
  h.clock.advance(1);
  const late = await fire(0, ago(10));
  expect(await read({ to })).toEqual([late, early]);
  expect(await read({ to, limit: "2" })).toEqual([late, early]);
  expect(await read({ to, limit: "2", offset: "2" })).toEqual([]);
});

test("an event that awaited confirmations stays out of the pages of a `to` before its release", async () => {
  const { owner, fire, read } = await makeMonitored();
  const shown = [await fire(0, ago(10)), await fire(0, ago(30))];
  const held = await fire(0, { ...ago(20), held_for: "12" });
  const to = h.clock.now().toISOString();
  h.clock.advance(1);
  const page = (offset: number) => read({ to, limit: "1", offset: String(offset) });
  const first = await page(0);
  await h.app.db
    .updateTable("alert_events")
    .set({ held_for: null, detected_at: h.clock.now() })
    .where("org_id", "=", owner.org_id)
    .where("id", "=", held)
    .execute();
  expect([...first, ...(await page(1)), ...(await page(2))]).toEqual(shown);
  expect(await read()).toContain(held);
});

test("every process serves the same pages for a recent `to`", async () => {
  const { owner, fire, read } = await makeMonitored();
  for (let count = 0; count < 5; count++) await fire(0, ago(100 + count));
  const to = h.clock.now().toISOString();
  h.clock.advance(1);
  const firsts = await Promise.all(Array.from({ length: 8 }, () => read({ to, limit: "3" })));
  await fire(0, ago(51));
  const elsewhere = (await harness({ address: h.address })).anonymous();
  await elsewhere.post("/auth/login", { email: owner.user.email, password: goodPassword });
  const rest = await read({ to, limit: "3", offset: "3" }, { ...owner, client: elsewhere });
  expect(new Set(firsts.map((page) => page.join())).size).toBe(1);
  expect([rest.length, new Set([...(firsts[0] ?? []), ...rest]).size]).toEqual([2, 5]);
});

test("events of a shadow rule are listed", async () => {
  const { fire, read } = await makeMonitored();
  const id = await fire(0, { is_silent: true });
  expect(await read()).toEqual([id]);
});

test("an event that awaits confirmations cannot be listed, read or acknowledged", async () => {
  const { owner, rule, fire, read } = await makeMonitored();
  const id = await fire(0, { held_for: "12" });
  expect(await read()).toEqual([]);
  expect(await read({}, owner, `/alerts/${rule.id}/history`)).toEqual([]);
  expect(await owner.client.get(`/alerts/events/${id}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.post(`/alerts/events/${id}/acknowledge`)).toMatchObject(
    errorReply(404, "not_found"),
  );
});

test("a retracted event stays in the history as retracted", async () => {
  const { owner, fire, read } = await makeMonitored();
  const id = await fire(0, { status: "retracted", finality: "retracted" });
  expect(await read()).toEqual([id]);
  const reply = await owner.client.post(`/alerts/events/${id}/acknowledge`);
  expect(reply).toMatchObject({ status: 200, body: { status: "retracted", acknowledged_at: null } });
});

test("an org cannot read or acknowledge the events of another org", async () => {
  const [ada, bob] = [await makeMonitored(), await makeMonitored()];
  const agent_id = freshId();
  const id = await ada.fire(0, { agent_id });
  for (const query of [{}, { contract_id: ada.contract.id }, { agent_id }])
    expect(await bob.read(query as Query)).toEqual([]);
  for (const path of [`/alerts/events/${id}`, `/alerts/${ada.rule.id}/history`])
    expect(await bob.owner.client.get(path)).toMatchObject(errorReply(404, "not_found"));
  const reply = await bob.owner.client.post(`/alerts/events/${id}/acknowledge`);
  expect(reply).toMatchObject(errorReply(404, "not_found"));
});

test("a rule's history holds its own events and accepts every filter except the agent", async () => {
  const { owner, contract, target, rule, fire, read } = await makeMonitored();
  const other = await addRule(owner, target.id);
  const [first, second] = [await fire(1, { severity: "info" }), await fire(2)];
  await fire(3, { rule_id: other.id });
  const history = (query: Query = {}) => read(query, owner, `/alerts/${rule.id}/history`);
  expect(await history()).toEqual([second, first]);
  expect(await history({ severity: "info" })).toEqual([first]);
  expect(await history({ to: timeAt(1).toISOString() })).toEqual([first]);
  expect(await history({ limit: "1", offset: "1" })).toEqual([first]);
  expect(await history({ contract_id: contract.id })).toEqual([second, first]);
  expect(await history({ contract_id: unknownId })).toEqual([]);
  const byAgent = await owner.client.get(`/alerts/${rule.id}/history`, { query: { agent_id: unknownId } });
  expect(byAgent.status).toBe(422);
});

test("events of a deleted rule and target stay visible to those who can read the contract", async () => {
  const { owner, target, rule, fire, read } = await makeMonitored();
  const viewer = await join(h, owner, "viewer");
  await viewer.client.post(`/orgs/${owner.org_id}/switch`);
  const id = await fire(0);
  await owner.client.delete(`/alerts/${rule.id}`);
  await owner.client.delete(`/targets/${target.id}`);
  expect([await read(), await read({}, viewer)]).toEqual([[id], [id]]);
  expect((await viewer.client.get(`/alerts/events/${id}`)).body).toMatchObject({ rule_name: rule.name });
});

test("events of a deleted contract are visible to admins only", async () => {
  const { owner, contract, fire, read } = await makeMonitored();
  const member = await join(h, owner, "member");
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  const id = await fire(0);
  await owner.client.delete(`/contracts/${contract.id}`);
  expect([await read(), await read({}, member)]).toEqual([[id], []]);
  expect(await read({ contract_id: contract.id })).toEqual([id]);
  const path = `/alerts/events/${id}`;
  expect((await owner.client.get(path)).status).toBe(200);
  expect(await member.client.get(path)).toMatchObject(errorReply(404, "not_found"));
  expect(await member.client.post(`${path}/acknowledge`)).toMatchObject(errorReply(404, "not_found"));
  // Deleting the contract resolves its events, because nothing else can.
  expect((await owner.client.get(path)).body).toMatchObject({ status: "resolved" });
});

test("an event without a contract is visible to every member of the org, and to no other org", async () => {
  const { owner, read } = await makeMonitored();
  const member = await join(h, owner, "member");
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  const id = await recordEvent(h, owner.org_id);
  expect([await read(), await read({}, member)]).toEqual([[id], [id]]);
  expect(await read({}, await h.person())).toEqual([]);
  const acknowledged = await member.client.post(`/alerts/events/${id}/acknowledge`);
  expect(acknowledged).toMatchObject({ status: 200, body: { status: "acknowledged" } });
});

test("a second acknowledgement keeps the first", async () => {
  const { owner, fire } = await makeMonitored();
  const member = await join(h, owner, "member");
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  const path = `/alerts/events/${await fire(0)}/acknowledge`;
  const first = await member.client.post(path);
  expect(first).toMatchObject({
    status: 200,
    body: { status: "acknowledged", acknowledged_by: member.user.id, acknowledged_at: expect.any(String) },
  });
  h.clock.advance(60);
  const second = await owner.client.post(path);
  expect([second.status, second.body]).toEqual([200, first.body]);
  const { body } = await owner.client.get("/audit-log", { query: { action: "event.acknowledged" } });
  expect(body).toHaveLength(1);
});

test("acknowledging a resolved event leaves it resolved", async () => {
  const { owner, fire } = await makeMonitored();
  const id = await fire(0, { status: "resolved", resolved_at: timeAt(5) });
  expect(await owner.client.post(`/alerts/events/${id}/acknowledge`)).toMatchObject({
    status: 200,
    body: { status: "resolved", resolved_at: timeAt(5).toISOString(), acknowledged_by: null },
  });
});

test("concurrent acknowledgements record one person", async () => {
  const { owner, fire } = await makeMonitored();
  const member = await join(h, owner, "member");
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  const path = `/alerts/events/${await fire(0)}/acknowledge`;
  const clients = [owner.client, member.client, owner.client, member.client];
  const replies = await Promise.all(clients.map((client) => client.post(path)));
  const acknowledgers = replies.map((reply) => (reply.body as AlertEvent).acknowledged_by);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  expect(new Set(acknowledgers).size).toBe(1);
});
