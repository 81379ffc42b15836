import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { makeLog } from "../../src/lib/log.ts";
import { startPostgres } from "../../src/lib/postgres/start.ts";
import { migrate } from "../../src/store/migrate.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";
import { harness, type Person } from "../harness.ts";
import { until } from "../postgres.ts";

const log = makeLog("silent");
const folder = await mkdtemp(join(tmpdir(), "tocsin-faults-"));
const server = await startPostgres({ folder: join(folder, "postgres"), log: () => undefined });
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});
const address = await makeDatabase();
const h = await harness({ address });
const people = [await h.person(), await h.person(), await h.person(), await h.person()];

/** A request for a new org, and what came of it. */
type Attempt = { name: string; status: number; retryAfter: string | undefined; tookMs: number };

let attempts = 0;

async function found(person: Person): Promise<Attempt> {
  const name = `Org ${++attempts}`;
  const since = performance.now();
  const { status, headers } = await person.client.post("/orgs", { name });
  return { name, status, retryAfter: headers["retry-after"], tookMs: performance.now() - since };
}

/** Founds orgs until told to stop; after a refusal it waits a moment, as a client should. */
async function keepFounding(person: Person, isOver: (made: Attempt[]) => boolean): Promise<Attempt[]> {
  const made: Attempt[] = [];
  while (!isOver(made)) {
    const attempt = await found(person);
    made.push(attempt);
    if (attempt.status !== 201) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return made;
}

/** Whatever happened: an acknowledged org is there once, a refused one at most once, and nobody waited long. */
async function expectHonest(made: Attempt[]): Promise<void> {
  for (const { status, retryAfter, tookMs } of made) {
    expect([201, 503]).toContain(status);
    if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(6_000);
  }
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int from orgs group by name`.execute(h.app.db);
  const counts = new Map(rows.map((row) => [row.name, row.count]));
  for (const { name, status } of made) {
    const count = counts.get(name) ?? 0;
    expect([name, status === 201 ? count === 1 : count <= 1]).toEqual([name, true]);
  }
}

test("killing the database under load fails some requests with 503 and loses no acknowledged write", {
  timeout: 60_000,
}, async () => {
  const pids = new Set<number>();
  const isBack = (made: Attempt[]) => {
    const lastRefusal = made.findLastIndex((attempt) => attempt.status !== 201);
    return pids.size === 2 && made.length - lastRefusal > 5;
  };
  const founding = Promise.all(people.map((person) => keepFounding(person, isBack)));
  for (let kill = 0; kill < 2; kill++) {
    const before = attempts;
    await until(async () => attempts > before + 20 && (await isReady()));
    const pid = server.pid() ?? 0;
    pids.add(pid);
    process.kill(pid, "SIGKILL");
    await until(async () => server.pid() !== undefined && server.pid() !== pid);
  }
  const made = (await founding).flat();
  expect(made.filter((attempt) => attempt.status === 201).length).toBeGreaterThan(20);
  expect(made.some((attempt) => attempt.status === 503)).toBe(true);
  await expectHonest(made);
  expect(await isReady()).toBe(true);
});

test("requests get 503 within the timeout while the database hangs, and succeed when it resumes", {
  timeout: 60_000,
}, async () => {
  const frozen = await freeze();
  const asked = people.flatMap((person) => [
    found(person),
    found(person),
    timed(() => person.client.get("/auth/me")),
    timed(() =>
      h.anonymous().post("/auth/login", { email: person.user.email, password: "wrong phrase of words" }),
    ),
    timed(() => h.anonymous().get("//readyz")),
  ]);
  const answers = await Promise.all(asked);
  frozen.resume();
  for (const { status, retryAfter, tookMs } of answers) {
    expect([status, Number(retryAfter) > 0]).toEqual([503, true]);
    expect(tookMs).toBeLessThan(6_000);
  }
  await until(isReady);
  const after = await Promise.all(people.map(found));
  expect(after.map(({ status }) => status)).toEqual(people.map(() => 201));
  const attempted = answers.filter((answer) => "name" in answer) as Attempt[];
  await expectHonest([...attempted, ...after]);
});

test("a write whose commit hangs gets 503 and is stored once or not at all", {
  timeout: 60_000,
}, async () => {
  const [ada] = people as [Person];
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  h.app.faults = {
    hit: async (point) => {
      if (point !== "write.before_commit") return;
      reached.resolve();
      await release.promise;
    },
  };
  const attempt = found(ada);
  await reached.promise;
  const frozen = await freeze();
  release.resolve();
  const answer = await attempt;
  frozen.resume();
  h.app.faults = { hit: async () => undefined };
  expect(answer.status).toBe(503);
  await until(isReady);
  await expectHonest([answer]);
});

test("a connection whose query timed out is closed, and its transaction takes no later write", {
  timeout: 60_000,
}, async () => {
  const store = openStore(address, log, { max: 1 });
  await sql`create table if not exists kept (id int)`.execute(store.db);
  const frozen = await freeze();
  const begin = store.db.transaction().execute((tx) => sql`insert into kept values (1)`.execute(tx));
  await expect(begin).rejects.toThrow("Query read timeout");
  frozen.resume();
  await sql`insert into kept values (2)`.execute(store.db);
  const { rows } = await sql`select id from kept`.execute(h.app.db);
  expect(rows).toEqual([{ id: 2 }]);
  await store.close();
});

async function isReady(): Promise<boolean> {
  return (await h.anonymous().get("//readyz")).status === 200;
}

async function timed(ask: () => ReturnType<Person["client"]["get"]>) {
  const since = performance.now();
  const { status, headers } = await ask();
  return { status, retryAfter: headers["retry-after"], tookMs: performance.now() - since };
}

/** Stops the server and each of its children where they stand. */
async function freeze(): Promise<{ resume(): void }> {
  const postmaster = server.pid() ?? 0;
  const pids = [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return {
    resume() {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    },
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  const isChild = (stat: string) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
  return pids.filter((_, index) => isChild(stats[index] ?? "")).map(Number);
}

async function makeDatabase(): Promise<Address> {
  const { host, port, user } = server;
  const admin = openStore({ host, port, user, database: "postgres" }, log, { isPatient: true });
  await sql`create database tocsin`.execute(admin.db);
  await admin.close();
  const store = openStore({ host, port, user, database: "tocsin" }, log, { isPatient: true });
  await migrate(store.db);
  await store.close();
  return { host, port, user, database: "tocsin" };
}
