import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { ChainError } from "../../src/chains/reader.ts";
import { sequenceStream } from "../../src/jobs/sequence-stream.ts";
import { BulkheadFull } from "../../src/lib/concurrency/bulkhead.ts";
import { OwnerBusy } from "../../src/lib/concurrency/fair-queue.ts";
import { addContract } from "../api/contracts/contract-steps.ts";
import { harness, type Person } from "../support/harness.ts";
import { StreamClient } from "./stream/listen.ts";

const h = await harness();

/** Locks orgs, so that changes of them wait, until the returned function is called. */
async function lockOrgs(org_ids: string[]): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = h.app.db.transaction().execute(async (tx) => {
    await sql`select 1 from orgs where id = any(${org_ids}) for update`.execute(tx);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  return async () => {
    release.resolve();
    await holding;
  };
}

test.each([
  [1, 3],
  [3, 4],
])(
  "%i organisations whose requests wait for locks leave database connections to others",
  async (attackers, expected) => {
    const busy = await Promise.all(Array.from({ length: attackers }, () => h.person()));
    const calm = await h.person();
    const unlock = await lockOrgs(busy.map(({ org_id }) => org_id));
    const document = { version: 1, contracts: [] };
    // More than the pool has connections.
    const waiting = Array.from({ length: 15 }, (_, index) =>
      busy[index % attackers]?.client.post("/config/apply?dry_run=true", document),
    );
    await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(expected);
    const replies = await Promise.all(Array.from({ length: 6 }, () => calm.client.get("/contracts")));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await unlock();
    // On a busy machine the last ones wait in vain.
    const statuses = (await Promise.all(waiting)).map((reply) => reply?.status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(expected);
    expect(statuses.filter((status) => status !== 200 && status !== 429 && status !== 503)).toEqual([]);
  },
);

test("an organisation reads two replies at a time, so that large ones do not take the event loop from others", async () => {
  const [busy, calm] = [await h.person(), await h.person()];
  await addContract(busy);
  const replies = await h.app.db.transaction().execute(async (tx) => {
    await sql`lock table contracts in access exclusive mode`.execute(tx);
    const reading = Array.from({ length: 5 }, () => busy.client.get("/contracts"));
    await expect.poll(waitingForLocks).toBe(2);
    const other = calm.client.get("/contracts");
    await expect.poll(waitingForLocks).toBe(3);
    return [...reading, other];
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(6).fill(200));
});

/**
 * Sends 60 requests at once, and returns their statuses and how many of them waited for a connection of the pool at the same
 * time.
 */
async function flood(send: () => Promise<{ status: number }>) {
  const { pool } = h.app;
  const waited: number[] = [];
  const onAcquire = () => waited.push(pool.waitingCount);
  pool.on("acquire", onAcquire);
  const replies = await Promise.all(Array.from({ length: 60 }, send));
  pool.off("acquire", onAcquire);
  return { statuses: [...new Set(replies.map(({ status }) => status))], waited };
}

test("a flood of requests of one organisation never uses all database connections, also while they are authorised", async () => {
  const ada = await h.person();
  const { statuses, waited } = await flood(() => ada.client.get("/contracts"));
  expect(statuses).toEqual([200]);
  // Two requests are authenticated and two are processed at a time; all 60 would wait otherwise.
  expect(waited.length).toBeGreaterThan(60);
  expect(Math.max(...waited)).toBeLessThanOrEqual(8);
});

const anyone = h.anonymous();
let guesses = 0;
/** The lookups of one key at a time are one. */
const agent = () => ({ headers: { authorization: `Bearer tocsin_${++guesses}` } });
const forged = { headers: { origin: "https://evil.example", cookie: "access_token=unknown" } };

test.each([
  ["to the endpoint of agents with unknown keys", 401, () => anyone.post("//mcp", {}, agent())],
  ["that another site sends with an unknown session", 403, () => anyone.post("/contracts", {}, forged)],
  ["to the readiness probe", 200, () => anyone.get("//readyz")],
])("a flood of requests %s leaves database connections to others", async (_, status, send) => {
  const { statuses, waited } = await flood(send);
  expect(statuses).toEqual([status]);
  expect(waited.length).toBeGreaterThan(0);
  expect(Math.max(...waited)).toBeLessThanOrEqual(4);
});

test("a flood from three addresses leaves database connections to others", async () => {
  let sent = 0;
  const { statuses, waited } = await flood(() =>
    anyone.get("/contracts", { ...agent(), ip: `203.0.113.${sent++ % 3}` }),
  );
  expect(statuses).toEqual([401]);
  expect(waited.length).toBeGreaterThan(0);
  expect(Math.max(...waited)).toBeLessThanOrEqual(4);
});

test("a configuration whose client has gone is neither planned further nor applied", async () => {
  const ada = await h.person();
  const { port } = (await listen()) as { port: number };
  const closed = new Promise<void>((resolve) => {
    h.server.server.once("request", (_, response) => response.once("close", resolve));
  });
  const cookie = `access_token=${ada.client.cookies.get("access_token")}`;
  const leaving = new AbortController();
  const applying = await h.app.db.transaction().execute(async (tx) => {
    await sql`select 1 from orgs where id = ${ada.org_id} for update`.execute(tx);
    const request = fetch(`http://127.0.0.1:${port}/api/v1/config/apply`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", origin: "http://tocsin.test" },
      body: JSON.stringify({ version: 1, contracts: [{ chain: "local", address: `0x${"7".repeat(40)}` }] }),
      signal: leaving.signal,
    }).catch(() => "gone");
    await expect.poll(waitingForLocks).toBe(1);
    leaving.abort();
    await closed;
    return request;
  });
  expect(applying).toBe("gone");
  await expect.poll(openTransactions).toBe(0);
  expect((await ada.client.get("/contracts")).body).toEqual([]);
});

test("a configuration that is not applied in time is a 503 that says what to do, and changes nothing", async () => {
  const hurried = await harness({ address: h.address, deadlines: { applyConfig: 300 } });
  const ada = await hurried.person();
  const document = { version: 1, contracts: [{ chain: "local", address: `0x${"8".repeat(40)}` }] };
  for (const search of ["?dry_run=true", ""]) {
    const reply = await h.app.db.transaction().execute(async (tx) => {
      await sql`select 1 from orgs where id = ${ada.org_id} for update`.execute(tx);
      return ada.client.post(`/config/apply${search}`, document);
    });
    expect([reply.status, reply.body, reply.headers["retry-after"]]).toEqual([
      503,
      {
        detail: "The request timed out after 0.3 seconds. Try again, or send less at once.",
        code: "unavailable",
      },
      "2",
    ]);
    const refused = hurried.lines.filter((line) => line.includes("request refused"));
    expect(refused.at(-1)).toContain("The request timed out after 0.3 seconds.");
    expect(refused.at(-1)).not.toContain("stack");
    await expect.poll(openTransactions).toBe(0);
  }
  expect((await ada.client.get("/contracts")).body).toEqual([]);
  const { body } = await ada.client.get("/audit-log");
  expect(JSON.stringify(body)).not.toContain("config.applied");
});

test("an organisation over its budget gets 429 with Retry-After", async () => {
  const ada = await h.person();
  const { workers } = h.app;
  Object.assign(h.app, { workers: { ...workers, run: () => Promise.reject(new OwnerBusy()) } });
  const reply = await ada.client.post("/contracts/bulk-import", { csv: "chain,address" });
  Object.assign(h.app, { workers });
  expect([reply.status, reply.body, reply.headers["retry-after"]]).toMatchObject([
    429,
    { code: "org_busy" },
    "2",
  ]);
});

test("an organisation with too many inspections gets 429 with Retry-After, while another one is served", async () => {
  const [busy, calm] = [await h.person(), await h.person()];
  const { chains } = h.app;
  const release = Promise.withResolvers<void>();
  const client = {
    async pinLatestBlock() {
      await release.promise;
      throw new ChainError("unreachable");
    },
  };
  Object.assign(h.app, { chains: { ...chains, clientFor: () => client } });
  const inspect = ({ client: browser }: typeof busy) =>
    browser.post("/contracts/inspect", { chain: "local", address: `0x${"1".repeat(40)}` });
  // Four run, twelve wait, and the rest is over the budget.
  const replies = Array.from({ length: 18 }, () => inspect(busy));
  const ended: Awaited<(typeof replies)[number]>[] = [];
  for (const reply of replies) void reply.then((one) => ended.push(one));
  await expect.poll(() => ended.length).toBe(2);
  const other = inspect(calm);
  expect(ended.map(({ status, body, headers }) => [status, body, headers["retry-after"]])).toMatchObject(
    Array(2).fill([429, { code: "org_busy" }, "2"]),
  );
  release.resolve();
  await Promise.all(replies);
  expect((await other).status).not.toBe(429);
  Object.assign(h.app, { chains });
});

test("worker threads that all organisations together keep busy are a 503 with Retry-After", async () => {
  const ada = await h.person();
  const { workers } = h.app;
  Object.assign(h.app, { workers: { ...workers, run: () => Promise.reject(new BulkheadFull()) } });
  const reply = await ada.client.post("/contracts/bulk-import", { csv: "chain,address" });
  Object.assign(h.app, { workers });
  expect([reply.status, reply.headers["retry-after"]]).toEqual([503, expect.stringMatching(/^\d+$/)]);
});

test("an organisation has at most the open streams of its tier", async () => {
  const ada = await h.personOn("free");
  const { port } = (await listen()) as { port: number };
  const cookie = `access_token=${ada.client.cookies.get("access_token")}`;
  const stop = new AbortController();
  const open = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/dashboard/stream`, { headers: { cookie }, signal: stop.signal });
  const streams = await Promise.all(Array.from({ length: 10 }, open));
  expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const rejected = await open();
  expect([rejected.status, await rejected.json()]).toMatchObject([429, { code: "org_busy" }]);
  stop.abort();
});

/** Holds a table until the work is done. */
async function whileLocked(table: string, work: () => Promise<unknown>): Promise<void> {
  await h.app.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    await work();
  });
}

async function openStreams(): Promise<number | undefined> {
  return (await h.app.metrics.streamConnections.get()).values[0]?.value;
}

/** Opens a stream; `leave` resolves when the service has noticed that the client is gone. */
async function openStream({ client }: Person, query = "") {
  const { port } = (await listen()) as { port: number };
  const before = (await openStreams()) ?? 0;
  const cookie = `access_token=${client.cookies.get("access_token")}`;
  const stream = new StreamClient(`http://127.0.0.1:${port}`, { cookie }, query);
  expect(await stream.status).toBe(200);
  await expect.poll(openStreams).toBe(before + 1);
  const leave = async () => {
    stream.close();
    await expect.poll(openStreams).toBe(before);
  };
  return { stream, leave };
}

test("streams that are opened and left again leave database connections to others", async () => {
  const [busy, calm] = [await h.person(), await h.person()];
  await whileLocked("stream_heads", async () => {
    // More than the pool has connections. Each waits for the table.
    for (let opened = 0; opened < 12; opened++) await (await openStream(busy)).leave();
    await expect.poll(waitingForLocks).toBe(3);
    expect((await calm.client.get("/contracts")).status).toBe(200);
  });
  await expect.poll(waitingForLocks).toBe(0);
});

test("nothing is read for a stream whose client has left", async () => {
  const ada = await h.person();
  await addContract(ada);
  await sequenceStream.run(h.app);
  const staying = await openStream(ada);
  await staying.stream.next("hello");
  let reads = 0;
  const onAcquire = () => reads++;
  await whileLocked("stream_messages", async () => {
    const first = await openStream(ada, "?last_event_id=0");
    await expect.poll(waitingForLocks).toBe(1);
    for (let opened = 0; opened < 8; opened++) await (await openStream(ada, "?last_event_id=0")).leave();
    await first.leave();
    h.app.pool.on("acquire", onAcquire);
  });
  const last = await openStream(ada, "?last_event_id=0");
  await last.stream.next("contract.updated");
  h.app.pool.off("acquire", onAcquire);
  // What the first and the last one read, and the request of the last one; each of the others would read as much.
  expect(reads).toBeLessThan(20);
  for (const { leave } of [last, staying]) await leave();
});

async function countActivity(condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${condition}`.execute(h.app.db);
  return rows[0]?.count;
}

const waitingForLocks = () => countActivity(sql`wait_event_type = 'Lock'`);
const openTransactions = () => countActivity(sql`xact_start is not null`);

async function listen() {
  if (!h.server.server.listening) await h.server.listen({ port: 0, host: "127.0.0.1" });
  return h.server.server.address();
}
