import http from "node:http";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { streamPace } from "../../../src/http/stream/hub.ts";
import { sequenceStream } from "../../../src/jobs/sequence-stream.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import { addContract, addContractWithRule, grant, recordEvent } from "../../api/contracts/contract-steps.ts";
import { makeKey } from "../../api/orgs/keys.ts";
import { join, teamAdmin } from "../../api/steps.ts";
import { harness, type Person } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { StreamClient } from "./listen.ts";

/** Short intervals for everything but polling, so that tests do not wait. */
const pace = { ...streamPace, heartbeatMs: 50, accessCheckMs: 50, metricsMs: 50, statsMs: 100, chainsMs: 50 };
const h = await harness({ streamPace: pace });
const url = await h.server.listen({ port: 0, host: "127.0.0.1" });

const streams: StreamClient[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

function listen(headers: Record<string, string>, query = ""): StreamClient {
  const stream = new StreamClient(url, headers, query);
  streams.push(stream);
  return stream;
}

const cookieOf = ({ client }: Person) =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

async function open(person: Person, headers: Record<string, string> = {}, query = ""): Promise<StreamClient> {
  const stream = listen({ cookie: cookieOf(person), ...headers }, query);
  await stream.next("hello");
  return stream;
}

async function openWithKey(key: string): Promise<StreamClient> {
  const stream = listen({ authorization: `Bearer ${key}` });
  await stream.next("hello");
  return stream;
}

/** Numbers the queued messages as the job does. */
const numberMessages = async () => {
  while ((await sequenceStream.run(h.app)).hasMore);
};

const about = (id: string) => (frame: { data: Record<string, unknown> }) => frame.data.id === id;

test("a stream starts with hello and sends heartbeat events", async () => {
  const admin = await teamAdmin(h);
  const stream = listen({ cookie: cookieOf(admin) });
  expect(await stream.status).toBe(200);
  expect(await stream.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": expect.any(String),
  });
  expect(await stream.next("hello")).toMatchObject({ data: { org_id: admin.org_id, resumed: false } });
  expect(await stream.next("heartbeat")).toMatchObject({
    id: expect.any(String),
    data: { at: expect.any(String) },
  });
});

test("a stream sends alerts, their changes and contracts in order, numbered without gaps", async () => {
  const admin = await teamAdmin(h);
  const stream = await open(admin);
  const all = await addContractWithRule(admin);
  const id = await recordEvent(h, admin.org_id, all);
  await numberMessages();
  await admin.client.post(`/alerts/events/${id}/acknowledge`);
  await numberMessages();
  expect((await stream.next("alert.fired")).data).toMatchObject({ id });
  expect((await stream.next("alert.updated")).data).toMatchObject({
    id,
    status: "acknowledged",
    deliveries: [],
  });
  const kept = stream.frames.filter(({ event }) => /^(alert|contract)\./.test(event));
  expect(kept.map(({ id: seq }) => Number(seq))).toEqual(kept.map((_, index) => index + 1));
  expect(kept[0]).toMatchObject({ event: "contract.updated", data: { id: all.contract.id } });
});

test("a stream sends the deletion of a contract", async () => {
  const admin = await teamAdmin(h);
  const contract = await addContract(admin);
  await numberMessages();
  const stream = await open(admin);
  await admin.client.delete(`/contracts/${contract.id}`);
  await numberMessages();
  expect((await stream.next("contract.updated")).data).toEqual({ id: contract.id, is_deleted: true });
});

test.each([
  ["header", (admin: Person, last: string) => open(admin, { "last-event-id": last })],
  ["query", (admin: Person, last: string) => open(admin, {}, `?last_event_id=${last}`)],
])("a stream resumes after the last event id in the %s", async (_place, openAfter) => {
  const admin = await teamAdmin(h);
  const stream = await open(admin);
  const first = await addContract(admin);
  await numberMessages();
  const { id: last } = await stream.next("contract.updated", about(first.id));
  stream.close();
  const missed = [await addContract(admin), await addContract(admin)];
  await numberMessages();
  const again = await openAfter(admin, last);
  expect((await again.next("hello")).data).toMatchObject({ resumed: true });
  await again.next("contract.updated", about(missed[1]?.id ?? ""));
  expect(again.ofType("contract.updated").map(({ data }) => data.id)).toEqual(missed.map(({ id }) => id));
  expect(again.ofType("reset")).toEqual([]);
});

test("a stream sends reset if the last event id is too old or invalid", async () => {
  const admin = await teamAdmin(h);
  const contract = await addContract(admin);
  await numberMessages();
  await sql`
    insert into stream_queue (org_id, event, subject_id, contract_id)
    select ${admin.org_id}, 'contract.updated', ${contract.id}, ${contract.id} from generate_series(1, 1500)`.execute(
    h.app.db,
  );
  await numberMessages();
  const kept = await sql<{ total: string }>`
    select count(*) as total from stream_messages where org_id = ${admin.org_id}`.execute(h.app.db);
  expect(Number(kept.rows[0]?.total)).toBe(1_000);
  for (const last of ["1", "999999999", "-1", "nonsense", "1e3", ""]) {
    const stream = await open(admin, { "last-event-id": last });
    expect([last, (await stream.next("reset")).event]).toEqual([last, "reset"]);
    expect(stream.ofType("contract.updated")).toEqual([]);
  }
  const stream = await open(admin, { "last-event-id": "501" });
  expect((await stream.next("hello")).data).toMatchObject({ resumed: true });
});

test("a stream sends nothing of another org", async () => {
  const [admin, stranger] = [await teamAdmin(h), await teamAdmin(h)];
  const stream = await open(stranger);
  const [mine, theirs] = [await addContract(admin), await addContract(stranger)];
  await numberMessages();
  await stream.next("contract.updated", about(theirs.id));
  expect(JSON.stringify(stream.frames)).not.toContain(mine.id);
});

test("a stream omits contracts hidden by a grant until the grant is revoked", async () => {
  const admin = await teamAdmin(h);
  const [viewer, grantee] = [await join(h, admin, "viewer"), await join(h, admin, "viewer")];
  for (const person of [viewer, grantee]) await person.client.post(`/orgs/${admin.org_id}/switch`);
  const [open1, hidden] = [await addContractWithRule(admin), await addContractWithRule(admin)];
  await grant(admin, hidden.contract.id, grantee);
  await numberMessages();
  const [adminStream, viewerStream, granteeStream] = [
    await open(admin),
    await open(viewer),
    await open(grantee),
  ];
  const secret = await recordEvent(h, admin.org_id, hidden);
  const plain = await recordEvent(h, admin.org_id, open1);
  await numberMessages();
  for (const stream of [adminStream, viewerStream, granteeStream])
    await stream.next("alert.fired", about(plain));
  expect(adminStream.ofType("alert.fired").map(({ data }) => data.id)).toEqual([secret, plain]);
  expect(granteeStream.ofType("alert.fired").map(({ data }) => data.id)).toEqual([secret, plain]);
  expect(viewerStream.ofType("alert.fired").map(({ data }) => data.id)).toEqual([plain]);
  await admin.client.delete(`/contracts/${hidden.contract.id}/access/${grantee.user.id}`);
  await numberMessages();
  await viewerStream.next("contract.updated", about(hidden.contract.id));
});

test("a stream opened with a key sends only what is in its scope", async () => {
  const admin = await teamAdmin(h);
  const [inScope, other] = [
    await addContractWithRule(admin),
    await addContractWithRule(admin, { chain: "ethereum" }),
  ];
  await numberMessages();
  const byContract = await makeKey(admin, { contract_scope: [inScope.contract.id] });
  const byChain = await makeKey(admin, { chain_scope: [31337] });
  const received = [await openWithKey(byContract.key), await openWithKey(byChain.key)];
  const system = await recordEvent(h, admin.org_id);
  const outOfScope = await recordEvent(h, admin.org_id, other);
  const inScopeEvent = await recordEvent(h, admin.org_id, inScope);
  await numberMessages();
  for (const stream of received) {
    await stream.next("alert.fired", about(inScopeEvent));
    expect(stream.ofType("alert.fired").map(({ data }) => data.id)).toEqual([inScopeEvent]);
    expect(JSON.stringify(stream.frames)).not.toMatch(new RegExp(`${system}|${outOfScope}`));
  }
});

test.each<[string, (admin: Person, member: Person) => Promise<unknown>]>([
  ["the session ends", (_admin, member) => member.client.post("/auth/logout")],
  [
    "the membership ends",
    (admin, member) => admin.client.delete(`/orgs/${admin.org_id}/members/${member.user.id}`),
  ],
  [
    "another org becomes the active one",
    (_admin, member) => member.client.post(`/orgs/${member.org_id}/switch`),
  ],
])("a stream is closed when %s", async (_when, end) => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const [stream, adminStream] = [await open(member), await open(admin)];
  await end(admin, member);
  await stream.ended;
  const after = adminStream.ofType("heartbeat").length;
  await adminStream.next("heartbeat", () => adminStream.ofType("heartbeat").length > after);
});

test("a stream is closed when its key is revoked or expires", async () => {
  const admin = await teamAdmin(h);
  const [revoked, expiring] = [
    await makeKey(admin),
    await makeKey(admin, { expires_at: new Date(h.clock.now().getTime() + 3_600_000).toISOString() }),
  ];
  const [first, second] = [await openWithKey(revoked.key), await openWithKey(expiring.key)];
  await admin.client.delete(`/api-keys/${revoked.id}`);
  await first.ended;
  h.clock.advance(3_601);
  await second.ended;
});

test("a stream sends hidden contracts once its user becomes an admin", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const hidden = await addContractWithRule(admin);
  await grant(admin, hidden.contract.id, admin);
  await numberMessages();
  const stream = await open(member);
  const before = await recordEvent(h, admin.org_id, hidden);
  const visible = await recordEvent(h, admin.org_id, await addContractWithRule(admin));
  await numberMessages();
  // Messages are sent in order, so that the hidden one was left out by then.
  await stream.next("alert.fired", about(visible));
  await admin.client.patch(`/orgs/${admin.org_id}/members/${member.user.id}`, { role: "admin" });
  const beats = stream.ofType("heartbeat").length;
  await stream.next("heartbeat", () => stream.ofType("heartbeat").length > beats + 2);
  const after = await recordEvent(h, admin.org_id, hidden);
  await numberMessages();
  await stream.next("alert.fired", about(after));
  expect(stream.ofType("alert.fired").map(({ data }) => data.id)).not.toContain(before);
});

test("a stream sends readings and dashboard counts as they change", async () => {
  const admin = await teamAdmin(h);
  const { contract, target } = await addContractWithRule(admin);
  await numberMessages();
  const stream = await open(admin);
  const set = (value: number) =>
    h.app.db
      .updateTable("targets")
      .set({ last_value: value, last_value_at: h.clock.now(), status: "ok" })
      .where("id", "=", target.id)
      .execute();
  const stats = await stream.next("stats");
  expect(stats.data).toMatchObject({
    contracts: { total: 1, monitoring: 1 },
    rules: { total: 1, enabled: 1, firing: 0 },
  });
  await set(7);
  expect((await stream.next("metric")).data).toMatchObject({
    target_id: target.id,
    contract_id: contract.id,
    value: 7,
  });
  await recordEvent(h, admin.org_id, { contract, target });
  await stream.next("stats", ({ data }) => (data.alerts_24h as { critical: number }).critical === 1);
});

longTest("a client that does not read is disconnected without delaying the others", async () => {
  const admin = await teamAdmin(h);
  const contract = await addContract(admin);
  await numberMessages();
  const stalled = http.get(`${url}/api/v1/dashboard/stream`, {
    headers: { cookie: cookieOf(admin) },
    agent: false,
  });
  stalled.on("error", () => undefined);
  const response = await new Promise<http.IncomingMessage>((resolve) => stalled.once("response", resolve));
  response.pause();
  const closed = new Promise((resolve) => response.once("close", resolve));
  const stream = await open(admin);
  const head = Number((await stream.next("hello")).id);
  // Each message contains the whole contract; together they exceed every buffer in between.
  for (let round = 1; round <= 30; round++) {
    await sql`
      insert into stream_queue (org_id, event, subject_id, contract_id)
      select ${admin.org_id}, 'contract.updated', ${contract.id}, ${contract.id} from generate_series(1, 900)`.execute(
      h.app.db,
    );
    await numberMessages();
    await stream.next("contract.updated", ({ id }) => Number(id) === round * 900 + head);
  }
  response.resume();
  await closed;
});

test("a stream opens for every role and every active key, and for no one else", async () => {
  const admin = await teamAdmin(h);
  const statusFor = (headers: Record<string, string>) => listen(headers).status;
  const keyed = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` });
  for (const role of ["viewer", "member", "admin"] as const) {
    const person = await join(h, admin, role);
    await person.client.post(`/orgs/${admin.org_id}/switch`);
    expect([role, await statusFor({ cookie: cookieOf(person) })]).toEqual([role, 200]);
  }
  expect(await statusFor(keyed(await makeKey(admin, { scope: "read_only" })))).toBe(200);
  const revoked = await makeKey(admin);
  await admin.client.delete(`/api-keys/${revoked.id}`);
  const staff = await h.staff();
  const rejected = [
    {},
    keyed({ key: "tocsin_nothing" }),
    keyed(revoked),
    { cookie: "access_token=nothing" },
    { cookie: [...staff.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  ];
  for (const headers of rejected) expect(await statusFor(headers as Record<string, string>)).toBe(401);
});

test("a user can have at most twenty open streams", async () => {
  const admin = await teamAdmin(h);
  const open20 = await Promise.all(Array.from({ length: 20 }, () => open(admin)));
  expect(await listen({ cookie: cookieOf(admin) }).status).toBe(429);
  open20[0]?.close();
  const again = async (): Promise<number> => {
    const stream = listen({ cookie: cookieOf(admin) });
    const status = await stream.status;
    return status === 429 ? again() : status;
  };
  expect(await again()).toBe(200);
});

test("a stream gets messages from another process through the bus", async () => {
  const here = await harness({ isOneOfMany: true });
  const never = { ...streamPace, pollMs: 3_600_000 };
  const there = await harness({ isOneOfMany: true, address: here.address, streamPace: never });
  const elsewhere = await there.server.listen({ port: 0, host: "127.0.0.1" });
  const admin = await teamAdmin(here);
  const stream = new StreamClient(elsewhere, { cookie: cookieOf(admin) });
  streams.push(stream);
  await stream.next("hello");
  let isReceived = false;
  const received = stream.next("contract.updated").then(() => {
    isReceived = true;
  });
  // The other process may not listen yet, so messages are sent until one arrives.
  while (!isReceived) {
    await addContract(admin);
    await sequenceStream.run(here.app);
    await Promise.race([received, here.clock.sleep(50)]);
  }
});

test("dashboard counts include only contracts visible to the caller", async () => {
  const admin = await teamAdmin(h);
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`);
  const [seen, hidden] = [await addContractWithRule(admin), await addContractWithRule(admin)];
  await grant(admin, hidden.contract.id, admin);
  for (const one of [seen, hidden]) await recordEvent(h, admin.org_id, one);
  const counts = async ({ client }: Person) => (await client.get("/dashboard/stats")).body;
  expect(await counts(admin)).toMatchObject({
    contracts: { total: 2, monitoring: 2 },
    rules: { total: 2, enabled: 2, firing: 2 },
    alerts_24h: { critical: 2 },
    quota: { contracts: { used: 2, limit: 250 }, rules: { used: 2, limit: 1000 } },
  });
  expect(await counts(viewer)).toMatchObject({
    contracts: { total: 1 } satisfies Partial<Record<keyof Contract | "total", number>>,
    rules: { total: 1, firing: 1 },
    alerts_24h: { critical: 1 },
  });
});
