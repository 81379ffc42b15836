import { sql } from "kysely";
import { expect, test } from "vitest";
import { harness, type Person } from "../../support/harness.ts";
import { countByStatus, errorReply } from "../steps.ts";
import { addContract, freshAddress } from "./contract-steps.ts";

const h = await harness();

const mebibyte = 1024 * 1024;
const maxBytes = 64 * mebibyte;
const abi = [{ type: "event", name: "Small", inputs: [] }];

/** Stores another size of ABIs than the database measured when they were written: to write large ones takes seconds. */
async function setMeasuredSize(ids: string[], bytes: number): Promise<void> {
  await sql`update contracts set abi_bytes = ${bytes} where id = any(${ids}::uuid[])`.execute(h.app.db);
}

/** An org whose ABIs are large already: `sizes` in bytes. */
async function ownerWithAbis(...sizes: number[]): Promise<{ owner: Person; ids: string[] }> {
  const owner = await h.personOn("enterprise");
  const ids: string[] = [];
  for (const size of sizes) {
    const { id } = await addContract(owner);
    // The first characters make the text different from others.
    await sql`update contracts set abi = jsonb_build_array(id::text), abi_source = 'upload'
      where id = ${id}`.execute(h.app.db);
    await setMeasuredSize([id], size);
    ids.push(id);
  }
  return { owner, ids };
}

const create = ({ client }: Person, body: object = {}) =>
  client.post("/contracts", { chain: "local", address: freshAddress(), ...body });

test("an org whose ABIs are larger than 64 MB together cannot add or replace one, and other orgs can", async () => {
  const { owner, ids } = await ownerWithAbis(30 * mebibyte, 34 * mebibyte);
  const { owner: other } = await ownerWithAbis();
  const rejected = errorReply(403, "quota_exceeded");
  expect(await create(owner, { abi })).toMatchObject({
    status: 403,
    body: { code: "quota_exceeded", detail: expect.stringContaining("would have 64.1 MB") },
  });
  const third = await addContract(owner);
  expect(await owner.client.patch(`/contracts/${third.id}`, { abi })).toMatchObject(rejected);
  expect((await owner.client.get("/contracts")).body).toHaveLength(3);
  expect((await create(other, { abi })).status).toBe(200);
  // A smaller ABI in place of a large one makes room.
  expect((await owner.client.patch(`/contracts/${ids[0]}`, { abi })).status).toBe(200);
  expect((await create(owner, { abi })).status).toBe(200);
});

test("an org that is above the limit can replace its ABIs by smaller ones, one after the other", async () => {
  const { owner, ids } = await ownerWithAbis(40 * mebibyte, 40 * mebibyte, 40 * mebibyte);
  expect((await owner.client.patch(`/contracts/${ids[0]}`, { abi })).status).toBe(200);
  expect(await create(owner, { abi: [...abi, ...abi] })).toMatchObject(errorReply(403, "quota_exceeded"));
  expect((await owner.client.patch(`/contracts/${ids[1]}`, { abi })).status).toBe(200);
  expect((await create(owner, { abi })).status).toBe(200);
});

test("contracts with the same ABI count once", async () => {
  const { owner, ids } = await ownerWithAbis(10, 10, 10);
  await sql`update contracts set abi = '["the same"]' where id = any(${ids}::uuid[])`.execute(h.app.db);
  await setMeasuredSize(ids, 30 * mebibyte);
  expect((await create(owner, { abi })).status).toBe(200);
});

test("concurrent uploads do not exceed the limit on ABIs", async () => {
  const { owner } = await ownerWithAbis(maxBytes / 2, maxBytes / 2 - 100_000);
  const large = (n: number) =>
    Array.from({ length: 300 }, (_, index) => ({
      type: "event",
      name: `E${n}_${index}_${"x".repeat(180)}`,
      inputs: [],
    }));
  const replies = await Promise.all([1, 2, 3, 4].map((n) => create(owner, { abi: large(n) })));
  expect(countByStatus(replies)).toEqual({ 200: 1, 403: 3 });
});
