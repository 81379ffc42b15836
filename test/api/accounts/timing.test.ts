import { expect, test } from "vitest";
import { makePasswords } from "../../../src/lib/passwords/passwords.ts";
import type { Reply } from "../../support/client.ts";
import { goodPassword, harness } from "../../support/harness.ts";
import { counts, errorReply } from "../steps.ts";

// These tests compare the work done, because measured times would depend on the machine. bench/timing.ts measures
// times.
// A password that does not start at once is rejected.
const h = await harness({ passwords: makePasswords({ maxWaitMs: 1 }) });
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
    expect(await h.app.passwords.verify("", undefined, guess)).toBe(false);
});

test("log-ins that cannot be verified in time are rejected whether or not the account exists, and sign-ups succeed", async () => {
  const { user } = await h.person();
  const logIns: [path: string, email: string][] = [
    ["/auth/login", user.email],
    ["/auth/login", "unknown@example.com"],
    ["/admin/login", "unknown.staff@example.com"],
  ];
  const flood = startFlood((owner) => h.app.passwords.verify(owner, undefined, wrong));
  try {
    for (const [path, email] of logIns)
      expect(await sendUntilRejected(path, () => ({ email, password: wrong }))).toMatchObject(overloaded);
    expect((await h.signUp()).user.status).toBe("active");
  } finally {
    await flood.stop();
  }
});

test("log-ins that are rejected because the service is busy do not count as attempts of the account", async () => {
  const { client, user } = await h.person();
  const logIn = () => client.post("/auth/login", { email: user.email, password: goodPassword });
  const statuses: number[] = [];
  const flood = startFlood((owner) => h.app.passwords.verify(owner, undefined, wrong));
  try {
    const isRejectedOften = () => statuses.filter((status) => status === 503).length > 10;
    for (let attempt = 0; attempt < 100 && !isRejectedOften(); attempt++)
      statuses.push((await logIn()).status);
    expect(isRejectedOften()).toBe(true);
    expect(statuses).not.toContain(429);
  } finally {
    await flood.stop();
  }
  expect((await logIn()).status).toBe(200);
});

test("a flood of sign-ups rejects sign-ups and resets, and no log-in", async () => {
  const { user } = await h.person();
  const flood = startFlood((owner) => h.app.passwords.hash(owner, goodPassword));
  const newAccount = (attempt: number) => ({ email: `late${attempt}@example.com`, password: goodPassword });
  const reset = { token: "A".repeat(43), new_password: goodPassword };
  try {
    expect(await sendUntilRejected("/auth/signup", newAccount)).toMatchObject(overloaded);
    expect(await sendUntilRejected("/auth/reset-password", () => reset)).toMatchObject(overloaded);
    const logIn = await h.anonymous().post("/auth/login", { email: user.email, password: goodPassword });
    expect(logIn.status).toBe(200);
  } finally {
    await flood.stop();
  }
});

const overloaded = { ...errorReply(503, "unavailable"), headers: { "retry-after": "5" } };

/** Sends a request until it gets 503, and returns the reply. One that finds a free place is repeated. */
async function sendUntilRejected(
  path: string,
  body: (attempt: number) => object,
): Promise<Reply | undefined> {
  let reply: Reply | undefined;
  for (let attempt = 0; attempt < 10 && reply?.status !== 503; attempt++)
    reply = await h.anonymous().post(path, body(attempt));
  return reply;
}

/** Keeps passwords of four addresses waiting until stopped. */
function startFlood(work: (owner: string) => Promise<unknown>): { stop(): Promise<void> } {
  let isStopped = false;
  const flooding = ["a", "b", "c", "d"].map(async (owner) => {
    while (!isStopped) await work(owner).catch(() => undefined);
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(flooding);
    },
  };
}
