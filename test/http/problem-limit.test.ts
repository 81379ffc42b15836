import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";

const h = await harness();

type Issue = { loc: (string | number)[]; msg: string; type: string };
const issuesOf = (body: unknown) => (body as { detail: Issue[] }).detail;
const manyFields = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, value]));

test("a request with exactly 100 problems lists all of them and no more", async () => {
  const login = { email: "ada@example.com", password: "a password", ...manyFields(100, 1) };
  const reply = await h.anonymous().post("/auth/login", login);
  expect(reply.status).toBe(422);
  expect(issuesOf(reply.body).map(({ type }) => type)).toEqual(Array(100).fill("extra_forbidden"));
});

test("a request with 9,000 unknown fields lists the first 100 and says that there are more", async () => {
  const reply = await h.anonymous().post("/auth/login", manyFields(9_000, 1));
  expect(reply.status).toBe(422);
  expect(issuesOf(reply.body)).toHaveLength(101);
  expect(issuesOf(reply.body).at(-1)).toEqual({
    loc: ["body"],
    msg: "has more problems than the 100 that are listed; correct these and send it again",
    type: "too_many_problems",
  });
  expect(reply.text.length).toBeLessThan(20_000);
});

test("a request with 9,000 texts that cannot be stored lists the first 100 and says that there are more", async () => {
  const reply = await h.anonymous().post("/auth/login", manyFields(9_000, "\u0000"));
  expect(reply.status).toBe(422);
  expect(issuesOf(reply.body)).toHaveLength(101);
  expect(issuesOf(reply.body)[0]).toMatchObject({ loc: ["body", "field0"], type: "string_unicode" });
  expect(issuesOf(reply.body).at(-1)).toMatchObject({ type: "too_many_problems" });
});

test("the name of an unknown field is shortened in the reply", async () => {
  const reply = await h.anonymous().post("/auth/login", { ["a".repeat(500_000)]: 1 });
  expect(issuesOf(reply.body).map(({ loc }) => loc)).toContainEqual(["body", `${"a".repeat(100)}…`]);
  expect(reply.text.length).toBeLessThan(1_000);
});

test("a configuration with 20,000 incomplete rules lists 100 problems in both modes", async () => {
  const ada = await h.person();
  const rules = Array.from({ length: 1_000 }, () => ({}));
  const targets = Array.from({ length: 20 }, () => ({ target_type: "tx_rate", rules }));
  const contract = { chain: "local", address: `0x${"1".repeat(40)}`, label: "Vault", targets };
  for (const path of ["/config/apply", "/config/apply?dry_run=true"]) {
    const reply = await ada.client.post(path, { version: 1, contracts: [contract] });
    expect([reply.status, issuesOf(reply.body).length]).toEqual([422, 101]);
    expect(reply.text.length).toBeLessThan(50_000);
  }
});
