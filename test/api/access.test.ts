import { expect, test } from "vitest";
import { hasRole } from "../../src/domain/caller.ts";
import { type Operation, type Policy, paramNames } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { isAtLeast } from "../../src/tiers.ts";
import type { Role, Tier } from "../../src/wire/primitives.ts";
import type { Client } from "../support/client.ts";
import { harness } from "../support/harness.ts";
import { FakeStripe } from "./billing/stripe.ts";
import { grant } from "./contracts/contract-steps.ts";
import { endings, grantsOf, makeRequests, type Params, type Request } from "./matrix.ts";
import { matrixEnv } from "./matrix-resources.ts";
import { join, teamAdmin, unknownId } from "./steps.ts";

type OrgPolicy = Extract<Policy, { who: "org" }>;

const stripe = await FakeStripe.start();
const h = await harness({ env: { ...stripe.env, ...matrixEnv } });
const admin = await teamAdmin(h);
const other = await teamAdmin(h);
for (const one of [admin, other]) await h.setTier(one.org_id, "enterprise");
const viewer = await join(h, admin, "viewer");
const member = await join(h, admin, "member");
const removed = await join(h, admin, "admin");
await admin.client.delete(`/orgs/${admin.org_id}/members/${removed.user.id}`);
const outsider = await h.person("outsider");
const reader = await join(h, admin, "member");
const editor = await join(h, admin, "member");
for (const one of [viewer, member, reader, editor]) await one.client.post(`/orgs/${admin.org_id}/switch`);

const userWithoutOrg = await h.person();
await h.app.db.deleteFrom("memberships").where("user_id", "=", userWithoutOrg.user.id).execute();
const staff = await h.staff();

const requests = await makeRequests(h);

/** A stream stays open; its access is tested in test/http/stream. */
const scoped = operations.filter(
  (operation): operation is Operation & { policy: OrgPolicy } =>
    operation.policy.who === "org" && !operation.isStream && !endings.includes(operation.id),
);
const byPath = scoped.filter((one) => one.policy.org === "path");
const byActive = scoped.filter((one) => one.policy.org === "active");
const onResource = byActive.filter((one) => requests[one.id]?.ids);
const withGrants = (kind: Request["grants"]) =>
  scoped.filter(({ id }) => grantsOf(requests[id] as Request) === kind);
const withIds = <T extends Operation>(list: T[]) => list.map((one) => [one.id, one] as const);

function send(client: Client, { id, method, path }: Operation, params: Params, headers: Params = {}) {
  const url = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, params[name] ?? unknownId),
    path,
  );
  const body = requests[id]?.body;
  const query = requests[id]?.query ?? {};
  return client.request(method, url, typeof body === "function" ? body(params) : body, { headers, query });
}

/** Sends with the same resources until a change succeeds, because only a successful change consumes them. */
function makeSender(operation: Operation, create: () => Promise<Params>) {
  let ids: Params | undefined;
  return async (client: Client) => {
    ids ??= await create();
    const reply = await send(client, operation, ids);
    if (reply.status < 400 && operation.method !== "GET") ids = undefined;
    return reply;
  };
}

/** The expected reply for a resource that the caller cannot see. A missing role is reported first. */
function unseen(operation: Operation & { policy: OrgPolicy }, role: Role): string {
  const expected = expectedOutcome(operation, role, "team");
  return expected.startsWith("403") ? expected : (requests[operation.id]?.unseen ?? "404 not_found");
}

/** The expected reply for a member of the org: success, or the error that names the missing role or tier. */
function expectedOutcome(
  { id, policy, status }: Operation & { policy: OrgPolicy },
  role: Role,
  tier: Tier,
): string {
  if (!hasRole(role, policy.role))
    return policy.role === "admin" ? "403 admin_required" : "403 role_required";
  if (policy.tier && !isAtLeast(tier, policy.tier)) return "403 tier_required";
  return requests[id]?.success ?? String(status);
}

const inOrg = [
  [viewer, "viewer"],
  [member, "member"],
  [admin, "admin"],
] as const;

const outcome = ({ status, body }: { status: number; body: unknown }) =>
  status < 400 || status === 422 ? String(status) : `${status} ${(body as { code?: string }).code}`;

test("the request matrix has a row for every org operation", () => {
  expect(Object.keys(requests).sort()).toEqual(scoped.map((one) => one.id).sort());
  for (const { id, path, body, method } of scoped) {
    expect([id, requests[id]?.body !== undefined]).toEqual([id, body !== undefined]);
    const namesSubject = [
      "createAlertRule",
      "backtestAlertRule",
      "previewAlertMessages",
      "createSilence",
      "acknowledgeAlertEvents",
    ].includes(id);
    const needsIds = paramNames(path).some((name) => name !== "org_id") || namesSubject;
    expect([id, method, requests[id]?.ids !== undefined]).toEqual([id, method, needsIds]);
  }
});

test.each(withIds(scoped))(
  "%s requires the role and the tier of its row in the request matrix",
  (id, { policy }) => {
    expect([policy.role, policy.tier]).toEqual([requests[id]?.role, requests[id]?.tier]);
  },
);

test.concurrent.each(withIds(byPath))(
  "%s answers each caller by their role in the org",
  async (_id, operation) => {
    const sendAs = makeSender(operation, async () => ({
      org_id: admin.org_id,
      ...(await requests[operation.id]?.ids?.(admin)),
    }));
    expect(outcome(await sendAs(h.anonymous()))).toBe("401 unauthenticated");
    for (const person of [outsider, removed])
      expect(outcome(await sendAs(person.client))).toBe("404 not_found");
    for (const [person, role] of inOrg) {
      expect([role, outcome(await sendAs(person.client))]).toEqual([
        role,
        expectedOutcome(operation, role, "team"),
      ]);
    }
  },
);

test.concurrent.each(withIds(byPath))(
  "%s answers for another org as for an unknown one",
  async (_id, operation) => {
    const ids = await requests[operation.id]?.ids?.(other);
    expect(outcome(await send(h.anonymous(), operation, { org_id: other.org_id, ...ids }))).toBe(
      "401 unauthenticated",
    );
    for (const { client } of [outsider, removed, viewer, member, admin]) {
      const foreign = await send(client, operation, { org_id: other.org_id, ...ids });
      const unknown = await send(client, operation, { org_id: unknownId, ...ids });
      expect(outcome(foreign)).toBe("404 not_found");
      expect(foreign.text).toBe(unknown.text);
    }
  },
);

test.concurrent.each(withIds(byPath.filter((one) => requests[one.id]?.ids)))(
  "%s does not accept a resource of another org under the caller's own org",
  async (_id, operation) => {
    const foreignIds = await requests[operation.id]?.ids?.(other);
    const foreign = await send(admin.client, operation, { ...foreignIds, org_id: admin.org_id });
    const unknown = await send(admin.client, operation, { org_id: admin.org_id });
    expect(outcome(foreign)).toBe("404 not_found");
    expect(foreign.text).toBe(unknown.text);
    const stillThere = await send(other.client, operation, { ...foreignIds, org_id: other.org_id });
    expect(outcome(stillThere)).toBe(String(operation.status));
  },
);

test.concurrent.each(withIds(scoped))(
  "%s on the Free tier is rejected only if it requires a higher tier",
  async (_id, operation) => {
    const person = await h.person();
    const { ids, unseen = "404 not_found" } = requests[operation.id] ?? {};
    const params = operation.policy.tier ? {} : await ids?.(admin);
    const reply = outcome(await send(person.client, operation, { ...params, org_id: person.org_id }));
    const expected = expectedOutcome(operation, "admin", "free");
    // A Free org does not know the ids of another org.
    expect([expected, unseen].slice(0, ids ? 2 : 1)).toContain(reply);
  },
);

test.concurrent.each(withIds(byActive))("%s acts on the active org only", async (_id, operation) => {
  const sendAs = makeSender(operation, async () => (await requests[operation.id]?.ids?.(admin)) ?? {});
  expect(outcome(await sendAs(h.anonymous()))).toBe("401 unauthenticated");
  for (const [person, role] of inOrg) {
    expect([role, outcome(await sendAs(person.client))]).toEqual([
      role,
      expectedOutcome(operation, role, "team"),
    ]);
  }
  for (const person of [outsider, removed]) {
    const reply = await sendAs(person.client);
    const asAdmin = expectedOutcome(operation, "admin", "free");
    const namesResource = requests[operation.id]?.ids !== undefined && !asAdmin.startsWith("403");
    expect(outcome(reply)).toBe(namesResource ? unseen(operation, "admin") : asAdmin);
    expect(reply.text).not.toContain(admin.org_id);
    if (operation.method === "GET") expect(reply.text).not.toContain(admin.user.id);
  }
  expect(outcome(await send(userWithoutOrg.client, operation, {}))).toBe("403 no_active_org");
});

test.concurrent.each(withIds(onResource))(
  "%s answers for a resource of another org as for an unknown one",
  async (_id, operation) => {
    const ids = (await requests[operation.id]?.ids?.(other)) ?? {};
    for (const [person, role] of inOrg) {
      const foreign = await send(person.client, operation, ids);
      const unknown = await send(person.client, operation, {});
      expect([role, outcome(foreign)]).toEqual([role, unseen(operation, role)]);
      expect(foreign.text).toBe(unknown.text);
    }
    expect(outcome(await send(other.client, operation, ids))).toBe(String(operation.status));
  },
);

test.each(withIds(scoped))("%s declares how access grants affect it", (id, { policy }) => {
  const grants = grantsOf(requests[id] as Request);
  expect(grants).toBeDefined();
  if (policy.resource) expect(grants).toBe("contract");
});

test.concurrent.each(withIds(withGrants("contract")))(
  "%s answers for a contract hidden by a grant as for an unknown one",
  async (_id, operation) => {
    const sendAs = makeSender(operation, async () => {
      const ids = (await requests[operation.id]?.ids?.(admin)) ?? {};
      await grant(admin, ids.contract_id ?? "", reader, "viewer");
      await grant(admin, ids.contract_id ?? "", editor, "editor");
      return ids;
    });
    for (const [person, role] of inOrg.filter(([, role]) => role !== "admin")) {
      const hidden = await sendAs(person.client);
      const unknown = await send(person.client, operation, {});
      expect([role, outcome(hidden)]).toEqual([role, unseen(operation, role)]);
      expect(hidden.text).toBe(unknown.text);
    }
    expect(outcome(await sendAs(admin.client))).toBe(String(operation.status));
    const asMember = expectedOutcome(operation, "member", "team");
    expect(outcome(await sendAs(editor.client))).toBe(asMember);
    const isRead = operation.method === "GET" || requests[operation.id]?.isRead;
    const isChange = !isRead && !asMember.startsWith("403");
    expect(outcome(await sendAs(reader.client))).toBe(isChange ? "403 role_required" : asMember);
  },
);

test.concurrent.each(withIds(scoped))(
  "%s rejects an invalid API key even with a valid session, and rejects staff",
  async (_id, operation) => {
    const params = { org_id: admin.org_id };
    const headers = { authorization: "Bearer tocsin_unknown" };
    expect(outcome(await send(admin.client, operation, params, headers))).toBe("401 api_key_invalid");
    expect(outcome(await send(staff, operation, params))).toBe("401 unauthenticated");
  },
);

test.concurrent.each(withIds(operations.filter((operation) => operation.policy.who === "user")))(
  "%s requires a session",
  async (_id, { method, path }) => {
    const url = path.replace(/\{\w+\}/g, unknownId);
    expect(outcome(await h.anonymous().request(method, url, undefined))).toBe("401 unauthenticated");
  },
);
