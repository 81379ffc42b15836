import { expect, test } from "vitest";
import { runUntilAbandoned } from "../concurrency/abandonment.ts";
import { BulkheadFull } from "../concurrency/bulkhead.ts";
import { makePasswords } from "./passwords.ts";

const password = "correct horse battery staple";
const passwords = makePasswords();
const hashPassword = (text: string) => passwords.hash("", text);
const verifyPassword = (hashed: string | undefined, text: string) => passwords.verify("", hashed, text);

test("a hash verifies its own password and no other", async () => {
  const hashed = await hashPassword(password);
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hashed, password)).toBe(true);
  expect(await verifyPassword(hashed, `${password} `)).toBe(false);
  expect(await verifyPassword(hashed, "")).toBe(false);
  expect(await hashPassword(password)).not.toBe(hashed);
});

test("all Unicode forms of a password are the same password", async () => {
  const hashed = await hashPassword("caf\u00e9 \ufb01ve \uff11\uff12\uff13");
  expect(await verifyPassword(hashed, "cafe\u0301 five 123")).toBe(true);
});

test("verifying without an account takes the same work and returns false", async () => {
  for (const guess of [password, "", "A".repeat(43)])
    expect(await verifyPassword(undefined, guess)).toBe(false);

  const hashed = await hashPassword(password);
  const known = await timeOf(() => verifyPassword(hashed, "a wrong guess entirely"));
  const unknown = await timeOf(() => verifyPassword(undefined, "a wrong guess entirely"));
  // Skipping the work would be thousands of times faster; a busy machine is not.
  expect(unknown).toBeGreaterThan(known / 20);
});

test("an address with many passwords does not delay the password of another", async () => {
  const order: string[] = [];
  const hashFor = (owner: string) => passwords.hash(owner, password).then(() => order.push(owner));
  await Promise.all([...["a", "a", "a", "a"].map(hashFor), hashFor("b")]);
  // The first one runs already when the others come.
  expect(order.indexOf("b")).toBeLessThanOrEqual(2);
});

test.each([
  ["an address", { maxQueuedPerOwner: 1 }, "a"],
  ["all addresses together", { maxQueued: 1 }, "b"],
])("passwords beyond what may wait for %s are rejected, and the rest is hashed", async (_, limits, other) => {
  const { hash: hashFor } = makePasswords(limits);
  const results = await Promise.allSettled([
    hashFor("a", password),
    hashFor("a", password),
    hashFor(other, password),
  ]);
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "fulfilled" },
    { status: "rejected", reason: expect.any(BulkheadFull) },
  ]);
});

test("a password that nobody waits for any more is not hashed", async () => {
  const abandonment = new AbortController();
  const running = hashPassword(password);
  const abandoned = runUntilAbandoned(abandonment.signal, () => hashPassword(password));
  abandonment.abort(new Error("gone"));
  await expect(abandoned).rejects.toThrow("gone");
  await running;
});

/** The shorter of two runs, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 2; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}
