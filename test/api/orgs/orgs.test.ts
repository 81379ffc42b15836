import { expect, test } from "vitest";
import type { User } from "../../../src/wire/accounts/auth.ts";
import type { Org, OrgSummary } from "../../../src/wire/orgs/orgs.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";

const h = await harness();

const business = {
  legal_name: "Analytical Engines Ltd",
  website: "https://engines.example",
  country: "GB",
  tax_id: "GB123456789",
  address: "12 St James's Square, London",
  billing_email: "billing@engines.example",
};
const empty = Object.fromEntries(Object.keys(business).map((name) => [name, null]));

const activeOrg = async ({ client }: Person) => ((await client.get("/auth/me")).body as User).active_org_id;
const createOrg = async ({ client }: Person, body: object) => (await client.post("/orgs", body)).body as Org;

test("the creator of an org becomes its admin and keeps their active org", async () => {
  const ada = await h.person();
  const reply = await ada.client.post("/orgs", { name: "Engines", business });
  expect(reply).toMatchObject({
    status: 201,
    body: { name: "Engines", tier: "free", role: "admin", business },
  });
  expect(await activeOrg(ada)).toBe(ada.org_id);
});

test("missing business details of an org are null", async () => {
  const ada = await h.person();
  expect((await createOrg(ada, { name: "Bare" })).business).toEqual(empty);
  expect((await createOrg(ada, { name: "Half", business: { country: "DE" } })).business).toEqual({
    ...empty,
    country: "DE",
  });
});

test.each<[string, object, (string | number)[]]>([
  ["no name", {}, ["body", "name"]],
  ["an empty name", { name: "  " }, ["body", "name"]],
  ["a long name", { name: "x".repeat(101) }, ["body", "name"]],
  ["a name of two lines", { name: "a\nb" }, ["body", "name"]],
  ["a chosen tier", { name: "x", tier: "enterprise" }, ["body", "tier"]],
  ["a country in words", { name: "x", business: { country: "Britain" } }, ["body", "business", "country"]],
  [
    "a website with a javascript URL",
    { name: "x", business: { website: "javascript:alert(1)" } },
    ["body", "business", "website"],
  ],
])("an org with %s gets 422", async (_what, body, loc) => {
  const { client } = await h.person();
  expect(await client.post("/orgs", body)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  expect((await client.get("/orgs")).body).toHaveLength(1);
});

test("a user lists only their own orgs, oldest membership first", async () => {
  const [ada, bob] = [await teamAdmin(h), await h.person()];
  const second = await createOrg(ada, { name: "Second" });
  await createOrg(bob, { name: "Bob's other" });
  const member = await join(h, ada, "viewer");
  const names = async (person: Person) =>
    ((await person.client.get("/orgs")).body as OrgSummary[]).map((org) => [org.id, org.role]);
  expect(await names(ada)).toEqual([
    [ada.org_id, "admin"],
    [second.id, "admin"],
  ]);
  expect(await names(member)).toEqual([
    [member.org_id, "admin"],
    [ada.org_id, "viewer"],
  ]);
  expect(await names(bob)).not.toContainEqual([ada.org_id, "admin"]);
});

test("the list of orgs leaves out business details", async () => {
  const ada = await h.person();
  await ada.client.patch(`/orgs/${ada.org_id}`, { business });
  expect((await ada.client.get("/orgs")).text).not.toContain("billing");
});

test("every member can read the org with its business details and their own role", async () => {
  const ada = await teamAdmin(h);
  await ada.client.patch(`/orgs/${ada.org_id}`, { business });
  for (const role of ["viewer", "member", "admin"] as const) {
    const person = await join(h, ada, role);
    expect((await person.client.get(`/orgs/${ada.org_id}`)).body).toMatchObject({
      id: ada.org_id,
      role,
      business,
    });
  }
});

test("an org update keeps the fields it leaves out, and null clears a field", async () => {
  const ada = await h.person();
  const path = `/orgs/${ada.org_id}`;
  expect((await ada.client.patch(path, { name: "Renamed", business })).body).toMatchObject({
    name: "Renamed",
    business,
  });
  const reply = await ada.client.patch(path, { business: { tax_id: null } });
  expect(reply.body).toMatchObject({ name: "Renamed", business: { ...business, tax_id: null } });
  expect((await ada.client.get(path)).body).toEqual(reply.body);
});

test.each([{}, { name: "" }, { tier: "team" }, { business: { colour: "red" } }, { business: null }])(
  "the org update %j gets 422 and changes nothing",
  async (body) => {
    const ada = await h.person();
    const before = await ada.client.get(`/orgs/${ada.org_id}`);
    expect((await ada.client.patch(`/orgs/${ada.org_id}`, body)).status).toBe(422);
    expect((await ada.client.get(`/orgs/${ada.org_id}`)).body).toEqual(before.body);
  },
);

test("switching to an org makes it the active one", async () => {
  const ada = await h.person();
  const second = await createOrg(ada, { name: "Second" });
  expect((await ada.client.post(`/orgs/${second.id}/switch`)).status).toBe(204);
  expect(await activeOrg(ada)).toBe(second.id);
});

test("switching to another user's org or an unknown org gets 404", async () => {
  const [ada, bob] = [await h.person(), await h.person()];
  for (const id of [bob.org_id, unknownId]) {
    expect(await ada.client.post(`/orgs/${id}/switch`)).toMatchObject(errorReply(404, "not_found"));
  }
  expect(await activeOrg(ada)).toBe(ada.org_id);
});

test("a user with a hundred orgs cannot create another", async () => {
  const ada = await h.person();
  for (let count = 1; count < 100; count++) await ada.client.post("/orgs", { name: `Org ${count}` });
  expect((await ada.client.get("/orgs")).body).toHaveLength(100);
  expect(await ada.client.post("/orgs", { name: "One more" })).toMatchObject(
    errorReply(403, "quota_exceeded"),
  );
});

test("listing and creating orgs requires a session", async () => {
  expect(await h.anonymous().get("/orgs")).toMatchObject(errorReply(401, "unauthenticated"));
  expect(await h.anonymous().post("/orgs", { name: "x" })).toMatchObject(errorReply(401, "unauthenticated"));
});
