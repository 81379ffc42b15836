import { expect, test } from "vitest";
import { harness, type Person } from "../support/harness.ts";
import {
  addContract,
  addContractWithRule,
  addRule,
  addTarget,
  freshAddress,
  grant,
  recordEvent,
} from "./contracts/contract-steps.ts";
import { makeKey, makeKeyClient } from "./orgs/keys.ts";
import { errorReply, join, teamAdmin } from "./steps.ts";

const h = await harness({ env: { OUTBOUND_ALLOW: "127.0.0.0/8" } });

type Item = { id: string };

async function enterpriseAdmin(): Promise<Person> {
  const person = await h.personOn("enterprise");
  return person;
}

const idsOf = (body: unknown) => (body as Item[]).map(({ id }) => id);

/** Follows the Link header from the first page and returns the ids of each page. */
async function readPages({ client }: Pick<Person, "client">, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let url: string | undefined = path; url; ) {
    const { status, body, headers } = await client.get(url);
    expect(status).toBe(200);
    pages.push(idsOf(body));
    const link: RegExpExecArray | null = /^<\/api\/v1(\S+)>; rel="next"$/.exec(headers.link ?? "");
    expect(headers.link === undefined || link !== null).toBe(true);
    url = link?.[1];
  }
  return pages;
}

const policy = (name: string) => ({
  name,
  selector: { labels: ["none-has-this"] },
  target: { target_type: "tx_rate" },
  rule: { severity: "info", condition: { operator: "gt", threshold: 1 }, record_only: true },
});
const endOfTest = Date.now() + 3_600_000;
const silence = (hours: number) => ({
  severity: "info",
  reason: "Test",
  ends_at: new Date(endOfTest + hours * 3_600_000).toISOString(),
});

async function filled() {
  const owner = await enterpriseAdmin();
  const about = await addContractWithRule(owner);
  for (let n = 0; n < 4; n++) {
    await addContract(owner);
    await addRule(owner, about.target.id);
    await owner.client.post("/channels", {
      type: "webhook",
      name: `Hook ${n}`,
      config: { url: "http://127.0.0.1:9/" },
    });
    await makeKey(owner, { name: `Key ${n}` });
    await owner.client.post("/policies", policy(`Policy ${4 - n}`));
    // Two end at the same time: the id decides their order.
    await owner.client.post("/silences", silence(Math.floor(n / 2)));
    await owner.client.post("/wallet-discoveries", { wallet_address: freshAddress(), chain_ids: [1] });
  }
  // Several of the same time: the id decides their order.
  const now = h.clock.now();
  for (let n = 0; n < 5; n++) {
    const fired_at = new Date(now.getTime() - Math.floor(n / 3) * 1000);
    await recordEvent(h, owner.org_id, about, { fired_at });
  }
  return { owner, ...about };
}

const full = await filled();

test.each([
  ["/contracts", true],
  ["/alerts", true],
  ["/channels", true],
  ["/alerts/history", false],
  [`/alerts/${full.rule.id}/history`, false],
  ["/audit-log", false],
  ["/silences", true],
  ["/policies", true],
  ["/api-keys", true],
  ["/wallet-discoveries", false],
] as const)(
  "pages of %s contain what the whole list contains, each item once and in its order",
  async (path, isCounted) => {
    const whole = await full.owner.client.get(path);
    const all = idsOf(whole.body);
    expect(whole.headers.link).toBeUndefined();
    expect(whole.headers["x-total-count"]).toBe(isCounted ? String(all.length) : undefined);
    const pages = await readPages(full.owner, `${path}?limit=2`);
    expect(pages.flat()).toEqual(all);
    expect(pages.map((page) => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => 2));
    const first = await full.owner.client.get(`${path}?limit=2`);
    expect(first.headers["x-total-count"]).toBe(isCounted ? String(all.length) : undefined);
  },
);

test("a page that ends with the list has no link to another", async () => {
  const { headers, body } = await full.owner.client.get("/contracts?limit=5");
  expect([headers.link, idsOf(body).length]).toEqual([undefined, 5]);
});

test("what is added meanwhile does not shift the following pages", async () => {
  const { owner } = await filled();
  const before = idsOf((await owner.client.get("/contracts")).body);
  const first = await owner.client.get("/contracts?limit=2");
  await addContract(owner);
  const next = /<\/api\/v1(\S+)>/.exec(first.headers.link ?? "")?.[1] ?? "";
  expect(idsOf((await owner.client.get(next)).body)).toEqual(before.slice(2, 4));
});

test("the link keeps the filters of the request and drops its offset", async () => {
  const { link } = (await full.owner.client.get("/alerts/history?severity=critical&limit=2&offset=1"))
    .headers;
  const query = new URL(/<(\S+)>/.exec(link ?? "")?.[1] ?? "", "http://service").searchParams;
  expect([...query.keys()].sort()).toEqual(["cursor", "limit", "severity"]);
});

test("the link has the public URL of the service", async () => {
  const named = await harness({ env: { PUBLIC_URL: "https://tocsin.example/base/" } });
  const owner = await named.person();
  for (let n = 0; n < 2; n++) await addContract(owner);
  const { link } = (await owner.client.get("/contracts?limit=1")).headers;
  expect(link).toMatch(
    /^<https:\/\/tocsin\.example\/base\/api\/v1\/contracts\?limit=1&cursor=[\w-]+>; rel="next"$/,
  );
});

test("a cursor of a policy that was deleted says to begin again", async () => {
  const owner = await enterpriseAdmin();
  for (const name of ["A", "B", "C"]) await owner.client.post("/policies", policy(name));
  const first = await owner.client.get("/policies?limit=1");
  const next = /v1(\S+)>/.exec(first.headers.link ?? "")?.[1] ?? "";
  expect(await owner.client.get(next)).toMatchObject({ status: 200, body: [{ name: "B" }] });
  await owner.client.delete(`/policies/${idsOf(first.body)[0]}`);
  expect(await owner.client.get(next)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["query", "cursor"], msg: expect.stringContaining("first page") }] },
  });
});

test.each(["x", "%00", "bm90LWEtY3Vyc29y", "-".repeat(200)])("the cursor %s is 422", async (cursor) => {
  for (const path of ["/contracts", "/alerts", "/alerts/history", "/channels", "/deliveries", "/audit-log"])
    expect(await full.owner.client.get(`${path}?cursor=${cursor}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["query", "cursor"] }] },
    });
});

test("contracts are filtered by chain, status, category, label and text, and counted by the same filters", async () => {
  const owner = await enterpriseAdmin();
  const treasury = await addContract(owner, { label: "Main 100% Treasury" });
  const bridge = await addContract(owner, { chain: "ethereum", label: "Bridge" });
  await addTarget(owner, bridge.id);
  await owner.client.patch(`/contracts/${bridge.id}`, { category: "bridge" });
  await owner.client.post(`/contracts/${treasury.id}/labels`, { key: "Team", value: "Ops" });
  const find = async (query: Record<string, string>) => {
    const { body, headers } = await owner.client.get("/contracts", { query: { ...query, limit: "1" } });
    expect(headers["x-total-count"]).toBe(String(idsOf(body).length));
    return idsOf(body);
  };
  expect(await find({ chain: "ethereum" })).toEqual([bridge.id]);
  expect(await find({ status: "MONITORING" })).toEqual([bridge.id]);
  expect(await find({ category: "bridge" })).toEqual([bridge.id]);
  for (const label of ["ops", "team:OPS"]) expect(await find({ label })).toEqual([treasury.id]);
  for (const label of ["team", "op"]) expect(await find({ label })).toEqual([]);
  for (const q of ["TREASURY", "100%", treasury.address.slice(-12).toUpperCase()])
    expect(await find({ q })).toEqual([treasury.id]);
  // Characters of patterns are characters.
  for (const q of ["1%T", "_ridge"]) expect(await find({ q })).toEqual([]);
  expect(await find({ chain: "ethereum", q: "treasury" })).toEqual([]);
});

test("a restricted contract is in no page, filter or total of a person who cannot see it", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const { contract: hidden } = await addContractWithRule(admin);
  const { contract: open } = await addContractWithRule(admin);
  await grant(admin, hidden.id, admin);
  const key = await makeKeyClient(h, admin, { contract_scope: [open.id] });
  for (const client of [member.client, key]) {
    const contracts = await client.get("/contracts?limit=1");
    expect([idsOf(contracts.body), contracts.headers["x-total-count"], contracts.headers.link]).toEqual([
      [open.id],
      "1",
      undefined,
    ]);
    const rules = await client.get("/alerts?limit=1&severity=critical");
    expect([rules.headers["x-total-count"], rules.headers.link]).toEqual(["1", undefined]);
  }
});

test("rules are filtered by severity, state, target type and channel", async () => {
  const owner = await enterpriseAdmin();
  const { contract, rule } = await addContractWithRule(owner);
  const balance = await addTarget(owner, contract.id, { target_type: "native_balance" });
  const hook = { type: "webhook", name: "Hook", config: { url: "http://127.0.0.1:9/" } };
  const [first, later] = await Promise.all(
    [1, 2].map(async () => (await owner.client.post("/channels", hook)).body as Item),
  );
  const escalation = [{ after_seconds: 60, channel_ids: [later?.id] }];
  const low = await addRule(owner, balance.id, { severity: "info", channel_id: first?.id, escalation });
  const find = async (query: Record<string, string>) =>
    idsOf((await owner.client.get("/alerts", { query })).body);
  expect(await find({ severity: "info" })).toEqual([low.id]);
  expect(await find({ target_type: "tx_rate" })).toEqual([rule.id]);
  for (const channel of [first, later])
    expect(await find({ channel_id: channel?.id ?? "" })).toEqual([low.id]);
  const states = ["ok", "pending", "firing", "no_data", "error"];
  const byState = await Promise.all(states.map(async (state) => [state, await find({ state })] as const));
  for (const one of [rule, low]) {
    const { state } = (await owner.client.get(`/alerts/${one.id}`)).body as { state: string };
    expect(byState.filter(([, ids]) => ids.includes(one.id)).map(([name]) => name)).toEqual([state]);
  }
});

test("the history is filtered by status, kind, chain, target type, rule and acknowledgement", async () => {
  const owner = await enterpriseAdmin();
  const about = await addContractWithRule(owner);
  const firing = await recordEvent(h, owner.org_id, about);
  const resolved = await recordEvent(h, owner.org_id, about, {
    status: "resolved",
    kind: "error",
    rule_id: null,
  });
  const elsewhere = await recordEvent(h, owner.org_id, about, { chain: "base", target_type: "tvl" });
  await owner.client.post(`/alerts/events/${elsewhere}/acknowledge`);
  const find = async (query: Record<string, string>) =>
    idsOf((await owner.client.get("/alerts/history", { query })).body).sort();
  expect(await find({ status: "resolved" })).toEqual([resolved]);
  expect(await find({ status: "firing" })).toEqual([firing]);
  expect(await find({ kind: "error" })).toEqual([resolved]);
  expect(await find({ chain: "base" })).toEqual([elsewhere]);
  expect(await find({ target_type: "tvl" })).toEqual([elsewhere]);
  expect(await find({ rule_id: about.rule.id })).toEqual([firing, elsewhere].sort());
  expect(await find({ acknowledged: "true" })).toEqual([elsewhere]);
  expect(await find({ acknowledged: "false" })).toEqual([firing, resolved].sort());
  const { contract: other } = await addContractWithRule(owner);
  const key = await makeKeyClient(h, owner, { contract_scope: [other.id] });
  expect(await key.get(`/alerts/history?rule_id=${about.rule.id}`)).toMatchObject(
    errorReply(403, "out_of_scope"),
  );
});

test("channels are filtered by type and status", async () => {
  const owner = await enterpriseAdmin();
  const channels = [
    { type: "webhook", name: "Hook", config: { url: "http://127.0.0.1:9/" } },
    { type: "pagerduty", name: "Duty", config: { routing_key: "0".repeat(32) } },
  ];
  const [hook, duty] = await Promise.all(
    channels.map(async (body) => ((await owner.client.post("/channels", body)).body as Item).id),
  );
  await h.app.db
    .updateTable("channels")
    .set({ status: "failing" })
    .where("id", "=", duty ?? "")
    .execute();
  const find = async (query: Record<string, string>) =>
    idsOf((await owner.client.get("/channels", { query })).body);
  expect(await find({ type: "webhook" })).toEqual([hook]);
  expect(await find({ status: "failing" })).toEqual([duty]);
  expect(await find({ type: "webhook", status: "failing" })).toEqual([]);
  expect((await owner.client.get("/channels?type=fax")).status).toBe(422);
});
