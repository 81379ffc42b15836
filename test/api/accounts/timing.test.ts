import { expect, test } from "vitest";
import { verifyPassword } from "../../../src/lib/passwords/passwords.ts";
import type { Reply } from "../../support/client.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { counts } from "../steps.ts";

// These tests compare the work done, because measured times would depend on the machine. bench/timing.ts measures
// times.
const h = await harness();
const wrong = "not the right one";

/** The number of rows that each table gained. */
async function growth(send: () => Promise<Reply>): Promise<Record<string, number>> {
  const before = await counts(h);
  await send();
  const after = await counts(h);
  const grown = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, rows]) => rows !== 0));
}

test("a failed log-in writes the same rows for a known and an unknown account", async () => {
  const { user } = await h.person();
  const logIn = (email: string) => () => h.anonymous().post("/auth/login", { email, password: wrong });
  const known = await growth(logIn(user.email));
  expect(await growth(logIn("unknown@example.com"))).toEqual(known);
  expect(known).toEqual({ rate_windows: 3 });
});

test("a reset request writes the same rows for a known and an unknown account", async () => {
  const { user } = await h.person();
  const forgot = (email: string) => () => h.anonymous().post("/auth/forgot-password", { email });
  const known = await growth(forgot(user.email));
  expect(await growth(forgot("unknown@example.com"))).toEqual(known);
  expect(known).toEqual({ rate_windows: 2, mail_outbox: 1 });
});

test("the queued reset mail of a known and of an unknown account have the same size", async () => {
  const { user } = await h.person();
  await h.runJobs();
  const unknown = user.email.replace(/^\w/, "x");
  for (const email of [user.email, unknown]) await h.anonymous().post("/auth/forgot-password", { email });
  const rows = await h.app.db
    .selectFrom("mail_outbox")
    .select("sealed")
    .where("status", "=", "queued")
    .execute();
  expect(rows).toHaveLength(2);
  expect(rows[0]?.sealed?.length).toBe(rows[1]?.sealed?.length);
});

test("verifying a password without a stored hash always fails", async () => {
  for (const guess of [goodPassword, "", "A".repeat(43)])
    expect(await verifyPassword(undefined, guess)).toBe(false);
});

longTest("a log-in waits for the password-hashing queue whether or not the account exists", async () => {
  const { user } = await h.person();
  const staff = "unknown.staff@example.com";
  const logIns: [path: string, email: string][] = [
    ["/auth/login", user.email],
    ["/auth/login", "unknown@example.com"],
    ["/admin/login", staff],
  ];
  const queue = keepQueueFull();
  try {
    for (const [path, email] of logIns) expect(await isRejectedByFullQueue(path, email)).toBe(true);
  } finally {
    await queue.stop();
  }
});

/** Returns true once a log-in gets 503 because the queue is full. One that finds a free place is repeated. */
async function isRejectedByFullQueue(path: string, email: string): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const reply = await h.anonymous().post(path, { email, password: wrong });
    if (reply.status === 503) return true;
  }
  return false;
}

/** Fills the queue of the password hashing and refills it until stopped. */
function keepQueueFull(): { stop(): Promise<void> } {
  let isStopped = false;
  const queued = new Set<Promise<unknown>>();
  const enqueue = () => {
    const one = verifyPassword(undefined, wrong)
      .catch(() => undefined)
      .finally(() => queued.delete(one));
    queued.add(one);
  };
  const refill = () => {
    if (isStopped) return;
    for (let count = 0; count < 4; count++) enqueue();
    setImmediate(refill);
  };
  for (let count = 0; count < 110; count++) enqueue();
  refill();
  return {
    async stop() {
      isStopped = true;
      await Promise.all(queued);
    },
  };
}
