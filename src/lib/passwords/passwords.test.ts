import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { BulkheadFull } from "../concurrency/bulkhead.ts";
import { hashPassword, needsRehash, verifyPassword } from "./passwords.ts";

const password = "correct horse battery staple";

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

test("a hash with other cost parameters needs a rehash", async () => {
  expect(needsRehash(await hashPassword(password))).toBe(false);
  expect(needsRehash(await hash(password, { memoryCost: 8192, timeCost: 2, parallelism: 1 }))).toBe(true);
  expect(needsRehash(await hash(password, { memoryCost: 19456, timeCost: 1, parallelism: 1 }))).toBe(true);
  expect(needsRehash(await hash(password, { memoryCost: 19456, timeCost: 2, parallelism: 2 }))).toBe(true);
  expect(needsRehash(await hash(password, { algorithm: 1, memoryCost: 19456, timeCost: 2 }))).toBe(true);
});

test("password hashing rejects requests beyond its queue and serves the rest", async () => {
  const asked = Array.from({ length: 105 }, () => verifyPassword(undefined, password));
  const answers = await Promise.allSettled(asked);
  const refused = answers.filter((answer) => answer.status === "rejected");
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(BulkheadFull);
}, 60_000);

/** The shortest of five runs, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}
