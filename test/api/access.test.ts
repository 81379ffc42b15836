import { expect, test } from "vitest";
import { hasRole } from "../../src/domain/caller.ts";
import { type Operation, type Policy, paramNames } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { isAtLeast } from "../../src/tiers.ts";
import type { Role, Tier } from "../../src/wire/primitives.ts";
import { allPairs } from "../support/all-pairs.ts";
import type { Client } from "../support/client.ts";
import { harness, type Person } from "../support/harness.ts";
import { FakeStripe } from "./billing/stripe.ts";
import { freshId } from "./contracts/contract-steps.ts";
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
const freePerson = await h.person();
for (const one of [viewer, member]) await one.client.post(`/orgs/${admin.org_id}/switch`);

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

type Ids = Request["ids"];
/** Resources by what creates them; requests that change nothing share them. */
const sharedIds = new Map<string, Map<Ids, Promise<Params>>>();

function idsOnce(kind: string, ids: Ids, create: () => Promise<Params>): Promise<Params> {
  const byIds = sharedIds.get(kind) ?? new Map<Ids, Promise<Params>>();
  sharedIds.set(kind, byIds);
  const created = byIds.get(ids) ?? create();
  byIds.set(ids, created);
  return created;
}

/** Sends with shared resources, or with resources of its own if a change is expected to succeed, which consumes them. */
function makeSender(operation: Operation, kind: string, create: () => Promise<Params>) {
  const ids = requests[operation.id]?.ids;
  return async (client: Client, expected: string) => {
    const isConsumed = operation.method !== "GET" && Number.parseInt(expected, 10) < 400;
    const params = await (isConsumed || !ids ? create() : idsOnce(kind, ids, create));
    return send(client, operation, params);
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
    const sendAs = makeSender(operation, "path", async () => ({
      org_id: admin.org_id,
      ...(await requests[operation.id]?.ids?.(admin)),
    }));
    const unknown = "404 not_found";
    expect(outcome(await sendAs(h.anonymous(), "401"))).toBe("401 unauthenticated");
    for (const person of [outsider, removed])
      expect(outcome(await sendAs(person.client, unknown))).toBe(unknown);
    for (const [person, role] of inOrg) {
      const expected = expectedOutcome(operation, role, "team");
      expect([role, outcome(await sendAs(person.client, expected))]).toEqual([role, expected]);
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
    const unknown = await send(admin.client, operation, { org_id: unknownId, ...ids });
    for (const { client } of [outsider, removed, viewer, member, admin]) {
      const foreign = await send(client, operation, { org_id: other.org_id, ...ids });
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
    const { ids, unseen = "404 not_found" } = requests[operation.id] ?? {};
    const expected = expectedOutcome(operation, "admin", "free");
    // What changes the org must not keep another operation from it.
    const isChange = operation.method !== "GET" && !ids && Number.parseInt(expected, 10) < 400;
    const person = isChange ? await h.person() : freePerson;
    const params = operation.policy.tier || !ids ? {} : await idsOnce("team", ids, () => ids(admin));
    const reply = outcome(await send(person.client, operation, { ...params, org_id: person.org_id }));
    // A Free org does not know the ids of another org.
    expect([expected, unseen].slice(0, ids ? 2 : 1)).toContain(reply);
  },
);

test.concurrent.each(withIds(byActive))("%s acts on the active org only", async (_id, operation) => {
  const sendAs = makeSender(
    operation,
    "team",
    async () => (await requests[operation.id]?.ids?.(admin)) ?? {},
  );
  expect(outcome(await sendAs(h.anonymous(), "401"))).toBe("401 unauthenticated");
  for (const [person, role] of inOrg) {
    const expected = expectedOutcome(operation, role, "team");
    expect([role, outcome(await sendAs(person.client, expected))]).toEqual([role, expected]);
  }
  for (const person of [outsider, removed]) {
    const asAdmin = expectedOutcome(operation, "admin", "free");
    const namesResource = requests[operation.id]?.ids !== undefined && !asAdmin.startsWith("403");
    const expected = namesResource ? unseen(operation, "admin") : asAdmin;
    const reply = await sendAs(person.client, namesResource ? "404" : expected);
    expect(outcome(reply)).toBe(expected);
    expect(reply.text).not.toContain(admin.org_id);
    if (operation.method === "GET") expect(reply.text).not.toContain(admin.user.id);
  }
  expect(outcome(await send(userWithoutOrg.client, operation, {}))).toBe("403 no_active_org");
});

test.concurrent.each(withIds(onResource))(
  "%s answers for a resource of another org as for an unknown one",
  async (_id, operation) => {
    const create = requests[operation.id]?.ids;
    const createForeign = async () => (await create?.(other)) ?? {};
    // The last request consumes what is changed.
    const ids = await (operation.method === "GET"
      ? idsOnce("foreign", create, createForeign)
      : createForeign());
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

type GrantCase = { role: Role; grant: "none" | "viewer" | "editor" };
/** A person of each role with each grant on the restricted contracts. */
const grantCases = await Promise.all(
  allPairs<GrantCase>({ role: ["viewer", "member", "admin"], grant: ["none", "viewer", "editor"] }).map(
    async (one) => ({ ...one, person: await personOf(one) }),
  ),
);

async function personOf({ role, grant: level }: GrantCase): Promise<Person> {
  if (role === "admin" && level === "none") return admin;
  const person = await join(h, admin, role);
  await person.client.post(`/orgs/${admin.org_id}/switch`);
  return person;
}

/** Creates the resources of a request with grants on their contract, which restrict it. */
async function createRestricted(ids: Ids): Promise<Params> {
  const params = (await ids?.(admin)) ?? {};
  const contract_id = params.contract_id ?? "";
  const rows = grantCases.flatMap(({ person, grant: role }) =>
    role === "none"
      ? []
      : [
          {
            id: freshId(),
            org_id: admin.org_id,
            contract_id,
            user_id: person.user.id,
            role,
            created_at: h.clock.now(),
          },
        ],
  );
  await h.app.db.insertInto("contract_grants").values(rows).execute();
  await h.app.db
    .updateTable("contracts")
    .set({ is_restricted: true })
    .where("id", "=", contract_id)
    .execute();
  return params;
}

/** The expected reply for a restricted contract: admins see and change it without a grant. */
function expectedWithGrant(
  operation: Operation & { policy: OrgPolicy },
  { role, grant: level }: GrantCase,
): string {
  if (role !== "admin" && level === "none") return unseen(operation, role);
  const expected = expectedOutcome(operation, role, "team");
  const isRead = operation.method === "GET" || requests[operation.id]?.isRead;
  const isDenied = !isRead && role !== "admin" && level === "viewer" && !expected.startsWith("403");
  return isDenied ? "403 role_required" : expected;
}

test.concurrent.each(withIds(withGrants("contract")))(
  "%s on a restricted contract answers each role by its grant, and without one as for an unknown contract",
  async (_id, operation) => {
    const ids = requests[operation.id]?.ids;
    const sendAs = makeSender(operation, "restricted", () => createRestricted(ids));
    for (const one of grantCases) {
      const { role, grant: level, person } = one;
      const expected = expectedWithGrant(operation, one);
      const reply = await sendAs(person.client, expected);
      expect([role, level, outcome(reply)]).toEqual([role, level, expected]);
      if (role === "admin" || level !== "none") continue;
      expect(reply.text).toBe((await send(person.client, operation, {})).text);
    }
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
