import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "../../src/lib/log/log.ts";
import { startPostgres } from "../../src/lib/postgres/start.ts";
import { migrate } from "../../src/store/migrate.ts";
import { type Address, openStore } from "../../src/store/open-store.ts";
import { harness, type Person } from "../support/harness.ts";
import { until } from "../support/postgres.ts";
import { longTest } from "../support/run-size.ts";

const log = makeLog("silent");
const folder = await mkdtemp(join(tmpdir(), "tocsin-faults-"));
const server = await startPostgres({ folder: join(folder, "postgres"), log: () => undefined });
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});
const address = await makeDatabase();
const h = await harness({ address, hasDeadlines: true });
const people = [await h.person(), await h.person(), await h.person(), await h.person()];

/** The outcome of a request to create an org. */
type Attempt = { name: string; status: number; retryAfter: string | undefined };

let attempts = 0;

async function createOrg(person: Person): Promise<Attempt> {
  const name = `Org ${++attempts}`;
  const { status, headers } = await person.client.post("/orgs", { name });
  return { name, status, retryAfter: headers["retry-after"] };
}

/** Creates orgs until `isOver`; after an error it waits a moment, as a client should. */
async function keepCreating(person: Person, isOver: (made: Attempt[]) => boolean): Promise<Attempt[]> {
  const made: Attempt[] = [];
  while (!isOver(made)) {
    const attempt = await createOrg(person);
    made.push(attempt);
    if (attempt.status !== 201) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return made;
}

/** Expects that every org with a 201 exists once, and every one with a 503 at most once. */
async function expectConsistent(made: Attempt[]): Promise<void> {
  for (const { status, retryAfter } of made) {
    expect([201, 503]).toContain(status);
    if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int from orgs group by name`.execute(h.app.db);
  const counts = new Map(rows.map((row) => [row.name, row.count]));
  for (const { name, status } of made) {
    const count = counts.get(name) ?? 0;
    expect([name, status === 201 ? count === 1 : count <= 1]).toEqual([name, true]);
  }
}

longTest(
  "killing the database under load fails some requests with 503 and loses no acknowledged write",
  async () => {
    const pids = new Set<number>();
    const isBack = (made: Attempt[]) => {
      const lastError = made.findLastIndex((attempt) => attempt.status !== 201);
      return pids.size === 2 && made.length - lastError > 5;
    };
    const creating = Promise.all(people.map((person) => keepCreating(person, isBack)));
    for (let kill = 0; kill < 2; kill++) {
      const before = attempts;
      await until(async () => attempts > before + 20 && (await isReady()));
      const pid = server.pid() ?? 0;
      pids.add(pid);
      process.kill(pid, "SIGKILL");
      await until(async () => server.pid() !== undefined && server.pid() !== pid);
    }
    const made = (await creating).flat();
    expect(made.filter((attempt) => attempt.status === 201).length).toBeGreaterThan(20);
    expect(made.some((attempt) => attempt.status === 503)).toBe(true);
    await expectConsistent(made);
    expect(await isReady()).toBe(true);
  },
);

describe("when the database hangs,", () => {
  let replies: { status: number; retryAfter: string | undefined }[];
  let attempted: Attempt[];
  let heldAtCommit: Attempt;
  let transaction: PromiseSettledResult<unknown>;
  let store: ReturnType<typeof openStore>;

  // Every outcome is known before the database resumes, so none of the requests waited for it.
  beforeAll(async () => {
    store = openStore(address, log, { max: 1 });
    await sql`create table if not exists kept (id int)`.execute(store.db);
    const { attempt, commit } = await holdAtCommit();
    const frozen = await freeze();
    commit();
    const orgs = people.flatMap((person) => [createOrg(person), createOrg(person)]);
    const others = people.flatMap((person) => [
      outcomeOf(person.client.get("/auth/me")),
      outcomeOf(
        h.anonymous().post("/auth/login", { email: person.user.email, password: "wrong phrase of words" }),
      ),
      outcomeOf(h.anonymous().get("//readyz")),
    ]);
    const insert = store.db.transaction().execute((tx) => sql`insert into kept values (1)`.execute(tx));
    [transaction] = await Promise.allSettled([insert]);
    attempted = await Promise.all(orgs);
    replies = [...attempted, ...(await Promise.all(others))];
    heldAtCommit = await attempt;
    frozen.resume();
    await until(isReady);
  });
  afterAll(() => store.close());

  test("requests get 503 with Retry-After, and succeed once it resumes", async () => {
    for (const { status, retryAfter } of replies)
      expect([status, Number(retryAfter) > 0]).toEqual([503, true]);
    const after = await Promise.all(people.map(createOrg));
    expect(after.map(({ status }) => status)).toEqual(people.map(() => 201));
    await expectConsistent([...attempted, ...after]);
  });

  test("a write at its commit gets 503 and is stored once or not at all", async () => {
    expect(heldAtCommit.status).toBe(503);
    await expectConsistent([heldAtCommit]);
  });

  test("a connection whose query timed out is closed, and its transaction takes no later write", async () => {
    expect(transaction).toMatchObject({ reason: { message: expect.stringContaining("Query read timeout") } });
    await sql`insert into kept values (2)`.execute(store.db);
    const { rows } = await sql`select id from kept`.execute(h.app.db);
    expect(rows).toEqual([{ id: 2 }]);
  });
});

/** Starts to create an org, and returns once the request is about to commit. `commit` lets it continue. */
async function holdAtCommit(): Promise<{ attempt: Promise<Attempt>; commit(): void }> {
  const [ada] = people as [Person];
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const { faults } = h.app;
  h.app.faults = {
    hit: async (point) => {
      if (point !== "write.before_commit") return;
      reached.resolve();
      await release.promise;
    },
  };
  const attempt = createOrg(ada);
  await reached.promise;
  h.app.faults = faults;
  return { attempt, commit: release.resolve };
}

async function isReady(): Promise<boolean> {
  return (await h.anonymous().get("//readyz")).status === 200;
}

async function outcomeOf(request: ReturnType<Person["client"]["get"]>) {
  const { status, headers } = await request;
  return { status, retryAfter: headers["retry-after"] };
}

/** Suspends the server process and its children. */
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
