import { expect, test } from "vitest";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Contract, Grant } from "../../../src/wire/contracts/contracts.ts";
import { type Harness, harness, type Person } from "../../support/harness.ts";
import { errorReply, join, teamAdmin, unknownId } from "../steps.ts";
import {
  addChannel,
  addContract,
  addContractWithRule,
  addRule,
  addTarget,
  grant,
  recordEvent,
  ruleBody,
} from "./contract-steps.ts";

const h = await harness();

/** An org with two members and a contract without grants. */
async function orgWithTwoMembers(of: Harness = h) {
  const admin = await teamAdmin(of);
  const [ada, bob] = [await join(of, admin, "member"), await join(of, admin, "member")];
  for (const person of [ada, bob]) await person.client.post(`/orgs/${admin.org_id}/switch`);
  const about = await addContractWithRule(admin);
  const event_id = await recordEvent(of, admin.org_id, about);
  return { admin, ada, bob, ...about, event_id, path: `/contracts/${about.contract.id}` };
}

/** The number of entries that a person sees in each list. */
async function listLengths(person: Person, contract_id: string) {
  const contracts = (await person.client.get("/contracts")).body as Contract[];
  const rules = (await person.client.get("/alerts")).body as Rule[];
  const ofContract = (await person.client.get("/alerts", { query: { contract_id } })).body as Rule[];
  const events = (await person.client.get("/alerts/history")).body as AlertEvent[];
  const eventsOfContract = (await person.client.get("/alerts/history", { query: { contract_id } }))
    .body as AlertEvent[];
  return [contracts, rules, ofContract, events, eventsOfContract].map((list) => list.length);
}

/** The distinct statuses of reading every resource of a contract. */
async function readStatuses(
  person: Person,
  { path, rule, event_id }: Awaited<ReturnType<typeof orgWithTwoMembers>>,
) {
  const paths = [
    path,
    `${path}/targets`,
    `${path}/labels`,
    `${path}/access`,
    `/alerts/${rule.id}`,
    `/alerts/${rule.id}/history`,
    `/alerts/events/${event_id}`,
  ];
  const replies = await Promise.all(paths.map((one_path) => person.client.get(one_path)));
  return [...new Set(replies.map((reply) => reply.status))];
}

test("the first grant hides a contract from everyone but admins and the grantee", async () => {
  const org = await orgWithTwoMembers();
  for (const person of [org.admin, org.ada, org.bob]) {
    expect(await listLengths(person, org.contract.id)).toEqual([1, 1, 1, 1, 1]);
    expect(await readStatuses(person, org)).toEqual([200]);
  }
  await grant(org.admin, org.contract.id, org.ada);
  for (const person of [org.admin, org.ada]) {
    expect(await listLengths(person, org.contract.id)).toEqual([1, 1, 1, 1, 1]);
    expect(await readStatuses(person, org)).toEqual([200]);
  }
  expect(await listLengths(org.bob, org.contract.id)).toEqual([0, 0, 0, 0, 0]);
  expect(await readStatuses(org.bob, org)).toEqual([404]);
});

test("hiding one contract does not hide the others", async () => {
  const org = await orgWithTwoMembers();
  const open = await addContractWithRule(org.admin);
  await recordEvent(h, org.admin.org_id, open);
  await grant(org.admin, org.contract.id, org.ada);
  expect(await listLengths(org.bob, open.contract.id)).toEqual([1, 1, 1, 1, 1]);
  expect(await listLengths(org.ada, open.contract.id)).toEqual([2, 2, 1, 2, 1]);
});

test("revoking the last grant makes the contract visible to every member again", async () => {
  const org = await orgWithTwoMembers();
  await grant(org.admin, org.contract.id, org.ada);
  await grant(org.admin, org.contract.id, org.bob);
  const revoke = (person: Person) => org.admin.client.delete(`${org.path}/access/${person.user.id}`);
  expect(await revoke(org.ada)).toMatchObject({ status: 200, body: { ok: true } });
  expect([await readStatuses(org.ada, org), await readStatuses(org.bob, org)]).toEqual([[404], [200]]);
  expect(await revoke(org.ada)).toMatchObject(errorReply(404, "not_found"));
  await revoke(org.bob);
  expect([await readStatuses(org.ada, org), await readStatuses(org.bob, org)]).toEqual([[200], [200]]);
});

test("a contract stays hidden when the only grantee leaves the org", async () => {
  const org = await orgWithTwoMembers();
  await grant(org.admin, org.contract.id, org.ada);
  await org.admin.client.delete(`/orgs/${org.admin.org_id}/members/${org.ada.user.id}`);
  expect(await readStatuses(org.bob, org)).toEqual([404]);
  expect(await readStatuses(org.admin, org)).toEqual([200]);
});

test("a grant shows its grantee, role, author and time", async () => {
  const { admin, ada, contract, path } = await orgWithTwoMembers();
  const reply = await admin.client.post(`${path}/access`, { user_id: ada.user.id, role: "viewer" });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    contract_id: contract.id,
    user_id: ada.user.id,
    email: ada.user.email,
    role: "viewer",
    granted_by: admin.user.id,
    created_at: expect.any(String),
  });
  expect((await ada.client.get(`${path}/access`)).body).toEqual([reply.body]);
});

test("a second grant to the same member changes the role", async () => {
  const { admin, ada, path } = await orgWithTwoMembers();
  const createGrant = (role: string) => admin.client.post(`${path}/access`, { user_id: ada.user.id, role });
  const first = (await createGrant("viewer")).body as Grant;
  expect(await createGrant("editor")).toMatchObject({ status: 201, body: { id: first.id, role: "editor" } });
  expect((await admin.client.get(`${path}/access`)).body).toHaveLength(1);
});

test("a grant can name the member by e-mail address in any case", async () => {
  const { admin, ada, path } = await orgWithTwoMembers();
  const body = { email: ada.user.email.toUpperCase(), role: "viewer" };
  expect(await admin.client.post(`${path}/access`, body)).toMatchObject({
    status: 201,
    body: { user_id: ada.user.id, email: ada.user.email },
  });
});

test("a grant to a user outside the org is rejected like one to an unknown user", async () => {
  const { admin, path } = await orgWithTwoMembers();
  const stranger = await h.person();
  const createGrant = (body: object) => admin.client.post(`${path}/access`, { role: "viewer", ...body });
  for (const [known, unknown, field] of [
    [{ user_id: stranger.user.id }, { user_id: unknownId }, "user_id"],
    [{ email: stranger.user.email }, { email: "nobody@example.com" }, "email"],
  ] as const) {
    const reply = await createGrant(known);
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", field] }] } });
    expect((await createGrant(unknown)).text).toBe(reply.text);
  }
  expect((await admin.client.get(`${path}/access`)).body).toEqual([]);
});

test.each([
  {},
  { role: "viewer" },
  { role: "admin", email: "a@example.com" },
  { role: "viewer", email: "a@example.com", user_id: unknownId },
  { role: "viewer", user_id: "7" },
])("the grant %j gets 422", async (body) => {
  const { admin, path } = await orgWithTwoMembers();
  expect((await admin.client.post(`${path}/access`, body)).status).toBe(422);
});

test("a member with read-only access cannot change the contract", async () => {
  const org = await orgWithTwoMembers();
  const { ada, path, target, rule, event_id } = org;
  const label = (await org.admin.client.post(`${path}/labels`, { value: "x" })).body as { id: string };
  await grant(org.admin, org.contract.id, ada, "viewer");
  const replies = [
    await ada.client.patch(path, { label: "Mine" }),
    await ada.client.post(`${path}/pause`),
    await ada.client.post(`${path}/resume`),
    await ada.client.post(`${path}/labels`, { value: "y" }),
    await ada.client.put(`${path}/labels`, { labels: [] }),
    await ada.client.delete(`${path}/labels/${label.id}`),
    await ada.client.post(`${path}/targets`, { target_type: "revert_rate" }),
    await ada.client.patch(`/targets/${target.id}`, { is_enabled: false }),
    await ada.client.delete(`/targets/${target.id}`),
    await ada.client.post("/alerts", ruleBody(target.id)),
    await ada.client.patch(`/alerts/${rule.id}`, { name: "Mine" }),
    await ada.client.delete(`/alerts/${rule.id}`),
    await ada.client.post(`/alerts/events/${event_id}/acknowledge`),
    await ada.client.delete(path),
  ];
  for (const reply of replies) expect(reply).toMatchObject(errorReply(403, "role_required"));
  expect(await listLengths(ada, org.contract.id)).toEqual([1, 1, 1, 1, 1]);
});

test("an editor can change everything of a contract except its grants", async () => {
  const org = await orgWithTwoMembers();
  const { ada, path, target, rule, event_id } = org;
  await grant(org.admin, org.contract.id, ada, "editor");
  const replies = [
    await ada.client.patch(path, { label: "Ours" }),
    await ada.client.post(`${path}/labels`, { value: "y" }),
    await ada.client.patch(`/targets/${target.id}`, { name: "Traffic" }),
    await ada.client.post("/alerts", ruleBody(target.id)),
    await ada.client.patch(`/alerts/${rule.id}`, { name: "Ours" }),
    await ada.client.post(`/alerts/events/${event_id}/acknowledge`),
  ];
  for (const reply of replies) expect(reply.status).toBeLessThan(300);
  const share = await ada.client.post(`${path}/access`, { user_id: org.bob.user.id, role: "editor" });
  expect(share).toMatchObject(errorReply(403, "admin_required"));
  expect((await ada.client.delete(path)).status).toBe(200);
});

test("an org viewer with an editor grant can only read", async () => {
  const { admin, contract, path } = await orgWithTwoMembers();
  const viewer = await join(h, admin, "viewer");
  await viewer.client.post(`/orgs/${admin.org_id}/switch`);
  await grant(admin, contract.id, viewer, "editor");
  expect((await viewer.client.get(path)).status).toBe(200);
  expect(await viewer.client.patch(path, { label: "x" })).toMatchObject(errorReply(403, "role_required"));
});

test("access to hidden contracts follows a change of role from or to admin", async () => {
  const org = await orgWithTwoMembers();
  await grant(org.admin, org.contract.id, org.ada);
  const member = `/orgs/${org.admin.org_id}/members/${org.bob.user.id}`;
  await org.admin.client.patch(member, { role: "admin" });
  expect(await readStatuses(org.bob, org)).toEqual([200]);
  await org.admin.client.patch(member, { role: "member" });
  expect(await readStatuses(org.bob, org)).toEqual([404]);
});

test("a member who leaves the org loses their grants and does not regain them with a new invite", async () => {
  const org = await orgWithTwoMembers();
  await grant(org.admin, org.contract.id, org.ada);
  await grant(org.admin, org.contract.id, org.bob);
  await org.admin.client.delete(`/orgs/${org.admin.org_id}/members/${org.ada.user.id}`);
  const left = (await org.admin.client.get(`${org.path}/access`)).body as Grant[];
  expect(left.map((one) => one.user_id)).toEqual([org.bob.user.id]);
  const token = await org.admin.client.post(`/orgs/${org.admin.org_id}/invites`, {
    email: org.ada.user.email,
    role: "member",
  });
  const { invite_url = "" } = token.body as { invite_url?: string };
  await org.ada.client.post(`/invites/${invite_url.split("#")[1]}/accept`);
  await org.ada.client.post(`/orgs/${org.admin.org_id}/switch`);
  expect(await readStatuses(org.ada, org)).toEqual([404]);
});

test("a rule cannot be moved to a contract that its editor cannot read or change", async () => {
  const org = await orgWithTwoMembers();
  const hidden = await addContractWithRule(org.admin);
  const seen = await addContractWithRule(org.admin);
  await grant(org.admin, hidden.contract.id, org.bob, "editor");
  await grant(org.admin, seen.contract.id, org.ada, "viewer");
  const move = (target_id: string) => org.ada.client.patch(`/alerts/${org.rule.id}`, { target_id });
  const toHidden = await move(hidden.target.id);
  expect(toHidden).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "target_id"] }] } });
  expect(toHidden.text).toBe((await move(unknownId)).text);
  expect(await move(seen.target.id)).toMatchObject(errorReply(403, "role_required"));
  const away = await org.ada.client.patch(`/alerts/${seen.rule.id}`, { target_id: org.target.id });
  expect(away).toMatchObject(errorReply(403, "role_required"));
});

test("events of a rule moved to a visible contract stay hidden with their own contract", async () => {
  const org = await orgWithTwoMembers();
  const open = await addContract(org.admin);
  const target = await addTarget(org.admin, open.id);
  await grant(org.admin, org.contract.id, org.ada);
  await org.admin.client.patch(`/alerts/${org.rule.id}`, { target_id: target.id });
  expect((await org.bob.client.get(`/alerts/${org.rule.id}`)).status).toBe(200);
  expect((await org.bob.client.get(`/alerts/${org.rule.id}/history`)).body).toEqual([]);
  expect((await org.ada.client.get(`/alerts/${org.rule.id}/history`)).body).toHaveLength(1);
  expect((await org.bob.client.get("/analytics/noisy-rules")).body).toEqual([]);
  expect((await org.ada.client.get("/analytics/noisy-rules")).body).toMatchObject([{ rule_id: org.rule.id }]);
});

test("quotas count hidden contracts", async () => {
  const org = await orgWithTwoMembers();
  await h.setTier(org.admin.org_id, "free");
  await grant(org.admin, org.contract.id, org.admin);
  for (let count = 0; count < 4; count++) await addContract(org.admin);
  const over = await org.ada.client.post("/contracts", { chain: "local", address: `0x${"9".repeat(40)}` });
  expect(over).toMatchObject(errorReply(403, "quota_exceeded"));
});

test("the channel of a rule on a hidden contract is not revealed", async () => {
  const org = await orgWithTwoMembers();
  const channel_id = await addChannel(h, org.admin.org_id);
  await addRule(org.admin, org.target.id, { channel_id });
  await grant(org.admin, org.contract.id, org.ada);
  expect((await org.bob.client.get("/alerts")).text).not.toContain(channel_id);
});

test("people without access to the implementation of an open proxy read neither it nor its uploaded ABI", async () => {
  const { admin, ada, bob } = await orgWithTwoMembers();
  const abi = [
    { type: "event", name: "Drained", inputs: [{ name: "secretAmount", type: "uint256", indexed: false }] },
  ];
  const [proxy, implementation] = [await addContract(admin), await addContract(admin, { abi })];
  await grant(admin, implementation.id, ada);
  await h.app.db
    .updateTable("contracts")
    .set({ is_proxy: true, implementation_address: implementation.address })
    .where("id", "=", proxy.id)
    .execute();
  const target = await addTarget(admin, proxy.id);
  expect((await bob.client.get(`/contracts/${implementation.id}`)).status).toBe(404);
  for (const path of [
    "/contracts",
    `/contracts/${proxy.id}`,
    `/contracts/${proxy.id}/targets`,
    "/config",
    `/targets/${target.id}/series`,
  ]) {
    const { text } = await bob.client.get(path);
    for (const hidden of [implementation.id, "secretAmount"])
      expect([path, text.includes(hidden)]).toEqual([path, false]);
  }
});
