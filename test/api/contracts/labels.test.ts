import { expect, test } from "vitest";
import type { Label } from "../../../src/wire/contracts/contracts.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply, unknownId } from "../steps.ts";
import { addContract } from "./contract-steps.ts";

const h = await harness();

async function makeContract(): Promise<{ owner: Person; path: string }> {
  const owner = await h.person();
  return { owner, path: `/contracts/${(await addContract(owner)).id}/labels` };
}
const values = async ({ owner, path }: { owner: Person; path: string }) =>
  ((await owner.client.get(path)).body as Label[]).map((label) => label.value);

test("a label has a value and optionally a key and a colour", async () => {
  const { owner, path } = await makeContract();
  const plain = await owner.client.post(path, { value: " treasury " });
  expect(plain).toMatchObject({ status: 201, body: { key: null, value: "treasury", color: null } });
  const full = await owner.client.post(path, { value: "treasury", key: "team", color: "#a5341F" });
  expect(full.body).toMatchObject({ key: "team", value: "treasury", color: "#a5341F" });
  expect((await owner.client.get(path)).body).toEqual([plain.body, full.body]);
});

test.each([
  [{ value: "treasury" }, { value: "TREASURY" }],
  [{ value: "treasury" }, { value: "treasury", key: null, color: "#000000" }],
  [
    { value: "Über", key: "Team" },
    { value: "über", key: "tEAM" },
  ],
])("the labels %j and %j are the same label", async (first, second) => {
  const { owner, path } = await makeContract();
  expect((await owner.client.post(path, first)).status).toBe(201);
  expect(await owner.client.post(path, second)).toMatchObject(errorReply(409, "label_exists"));
  const both = await owner.client.put(path, { labels: [first, second] });
  expect(both).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "labels", 1] }] } });
});

test("labels whose case the database and the service fold differently never cause a server error", async () => {
  const { owner, path } = await makeContract();
  for (const value of ["İstanbul", "i̇stanbul", "ΟΔΟΣ", "οδος", "οδοσ", "ẞ", "ß"])
    expect([201, 409]).toContain((await owner.client.post(path, { value })).status);
});

test.each([
  {},
  { value: "" },
  { value: "  " },
  { value: "x".repeat(51) },
  { value: "a\nb" },
  { value: "a", key: "" },
  { value: "a", key: "x".repeat(51) },
  { value: "a", color: "red" },
  { value: "a", color: "#fff" },
  { value: "a", shape: "round" },
])("the label %j gets 422", async (body) => {
  const { owner, path } = await makeContract();
  expect((await owner.client.post(path, body)).status).toBe(422);
  expect((await owner.client.put(path, { labels: [body] })).status).toBe(422);
  expect((await owner.client.get(path)).body).toEqual([]);
});

test("the value and the key of a label have 1 to 50 characters", async () => {
  const { owner, path } = await makeContract();
  expect((await owner.client.post(path, { value: "x", key: "y".repeat(50) })).status).toBe(201);
  expect((await owner.client.post(path, { value: "x".repeat(50), key: "y" })).status).toBe(201);
});

test("a contract has at most 20 labels", async () => {
  const { owner, path } = await makeContract();
  const labels = Array.from({ length: 20 }, (_, index) => ({ value: `label ${index}` }));
  expect((await owner.client.put(path, { labels })).body).toHaveLength(20);
  expect(await owner.client.post(path, { value: "one more" })).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
  expect((await owner.client.put(path, { labels: [...labels, { value: "one more" }] })).status).toBe(422);
  expect(await values({ owner, path })).toHaveLength(20);
});

test("replacing labels removes the old ones and keeps the given order", async () => {
  const { owner, path } = await makeContract();
  await owner.client.post(path, { value: "old" });
  const labels = ["c", "a", "b"].map((value) => ({ value }));
  const replaced = (await owner.client.put(path, { labels })).body as Label[];
  expect(replaced.map((label) => label.value)).toEqual(["c", "a", "b"]);
  expect(await values({ owner, path })).toEqual(["c", "a", "b"]);
  expect((await owner.client.put(path, { labels: [] })).body).toEqual([]);
  expect(await values({ owner, path })).toEqual([]);
});

test("a label can be deleted once, and only from its own contract", async () => {
  const { owner, path } = await makeContract();
  const { id } = (await owner.client.post(path, { value: "old" })).body as Label;
  const elsewhere = `/contracts/${(await addContract(owner)).id}/labels`;
  expect(await owner.client.delete(`${elsewhere}/${id}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.delete(`${path}/${unknownId}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await owner.client.delete(`${path}/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await owner.client.delete(`${path}/${id}`)).toMatchObject(errorReply(404, "not_found"));
});

test("two contracts can have the same label", async () => {
  const { owner, path } = await makeContract();
  const elsewhere = `/contracts/${(await addContract(owner)).id}/labels`;
  for (const one of [path, elsewhere])
    expect((await owner.client.post(one, { value: "treasury" })).status).toBe(201);
});
