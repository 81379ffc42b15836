import { expect, test } from "vitest";
import type { User } from "../../../src/wire/accounts/auth.ts";
import type { Member } from "../../../src/wire/orgs/orgs.ts";
import { harness, type Person } from "../../support/harness.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";

const h = await harness();

const membersOf = async (person: Person, org_id: string) =>
  (await person.client.get(`/orgs/${org_id}/members`)).body as Member[];
const path = (org: Person, member: { user: User }) => `/orgs/${org.org_id}/members/${member.user.id}`;

test("every member can list all members, oldest membership first", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  const viewer = await join(h, admin, "viewer");
  for (const person of [admin, member, viewer]) {
    expect((await membersOf(person, admin.org_id)).map((row) => [row.user_id, row.email, row.role])).toEqual([
      [admin.user.id, admin.user.email, "admin"],
      [member.user.id, member.user.email, "member"],
      [viewer.user.id, viewer.user.email, "viewer"],
    ]);
  }
});

test("a role change takes effect from the member's next request", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "viewer");
  const rename = () => member.client.patch(`/orgs/${admin.org_id}`, { name: "Ours now" });
  expect(await rename()).toMatchObject(errorReply(403, "admin_required"));
  expect(await admin.client.patch(path(admin, member), { role: "admin" })).toMatchObject({
    status: 200,
    body: { user_id: member.user.id, role: "admin" },
  });
  expect((await rename()).status).toBe(200);
  await admin.client.patch(path(admin, member), { role: "member" });
  expect(await rename()).toMatchObject(errorReply(403, "admin_required"));
});

test("an admin can give up the role if there is another admin", async () => {
  const admin = await teamAdmin(h);
  await join(h, admin, "admin");
  expect((await admin.client.patch(path(admin, admin), { role: "viewer" })).status).toBe(200);
  expect(await admin.client.patch(path(admin, admin), { role: "admin" })).toMatchObject(
    errorReply(403, "admin_required"),
  );
});

test("the last admin can neither give up the role nor leave", async () => {
  const admin = await teamAdmin(h);
  await join(h, admin, "member");
  for (const role of ["member", "viewer"]) {
    expect(await admin.client.patch(path(admin, admin), { role })).toMatchObject(
      errorReply(409, "last_admin"),
    );
  }
  expect(await admin.client.delete(path(admin, admin))).toMatchObject(errorReply(409, "last_admin"));
  expect((await admin.client.patch(path(admin, admin), { role: "admin" })).status).toBe(200);
  expect(await membersOf(admin, admin.org_id)).toHaveLength(2);
});

test("a removed member loses access at once, and their oldest other org becomes active", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  const active = async () => ((await member.client.get("/auth/me")).body as User).active_org_id;
  expect(await active()).toBe(admin.org_id);
  expect((await admin.client.delete(path(admin, member))).status).toBe(204);
  expect(await member.client.get(`/orgs/${admin.org_id}`)).toMatchObject(errorReply(404, "not_found"));
  expect(await active()).toBe(member.org_id);
  expect(await membersOf(admin, admin.org_id)).toHaveLength(1);
});

test("removing a member from an inactive org keeps their active org", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  const third = (await member.client.post("/orgs", { name: "Third" })).body as { id: string };
  await member.client.post(`/orgs/${third.id}/switch`);
  await admin.client.delete(path(admin, member));
  expect(((await member.client.get("/auth/me")).body as User).active_org_id).toBe(third.id);
});

test("a user without an org can still list orgs and create one", async () => {
  const admin = await teamAdmin(h);
  const other = await join(h, admin, "admin");
  await other.client.post(`/orgs/${other.org_id}/switch`);
  await h.setTier(other.org_id, "team");
  await join(h, other, "admin").then((otherAdmin) => otherAdmin.client.delete(path(other, other)));
  await admin.client.delete(path(admin, other));
  expect((await other.client.get("/auth/me")).body).toMatchObject({ active_org_id: null });
  expect((await other.client.get("/orgs")).body).toEqual([]);
  expect(await other.client.get("/audit-log")).toMatchObject(errorReply(403, "no_active_org"));
  expect((await other.client.post("/orgs", { name: "Renamed" })).status).toBe(201);
});

test("a removed member can be invited again", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await admin.client.delete(path(admin, member));
  const reply = await admin.client.post(`/orgs/${admin.org_id}/invites`, {
    email: member.user.email,
    role: "viewer",
  });
  expect(reply.status).toBe(201);
});

test("changing or removing a user who is not a member gets 404", async () => {
  const [admin, stranger] = [await teamAdmin(h), await h.person()];
  for (const user_id of [unknownId, stranger.user.id]) {
    const url = `/orgs/${admin.org_id}/members/${user_id}`;
    expect(await admin.client.patch(url, { role: "admin" })).toMatchObject(errorReply(404, "not_found"));
    expect(await admin.client.delete(url)).toMatchObject(errorReply(404, "not_found"));
  }
  expect(await membersOf(stranger, stranger.org_id)).toHaveLength(1);
});

test.each([{}, { role: "owner" }, { role: "admin", name: "x" }, { role: null }])(
  "the member update %j gets 422",
  async (body) => {
    const admin = await h.person();
    expect((await admin.client.patch(path(admin, admin), body)).status).toBe(422);
  },
);
