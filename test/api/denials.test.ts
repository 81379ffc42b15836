import { expect, test } from "vitest";
import { hasRole } from "../../src/domain/caller.ts";
import { type Operation, type Policy, paramNames } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { isAtLeast } from "../../src/tiers.ts";
import type { Client, Reply } from "../support/client.ts";
import { harness } from "../support/harness.ts";
import { grant } from "./contracts/contract-steps.ts";
import { endings, grantsOf, makeRequests, type Params, type Request } from "./matrix.ts";
import { matrixEnv } from "./matrix-resources.ts";
import { KeyClient, makeKey, makeKeyClient } from "./orgs/keys.ts";
import { invite, join, teamAdmin, unknownId } from "./steps.ts";

/** Every operation of an org: which refusals of it are in the audit log of the org. Entries are found by the id of the request. */
type OrgOperation = Operation & { policy: Extract<Policy, { who: "org" }> };

const h = await harness({ env: matrixEnv });
const requests = await makeRequests(h);
const [admin, other] = [await teamAdmin(h), await teamAdmin(h)];
for (const person of [admin, other]) await h.setTier(person.org_id, "enterprise");
const viewer = await join(h, admin, "viewer");
const [member, grantee] = [await join(h, admin, "member"), await join(h, admin, "member")];
for (const { client } of [viewer, member]) await client.post(`/orgs/${admin.org_id}/switch`);
const free = await h.person();
const readOnly = await makeKeyClient(h, admin, { scope: "read_only" });
const revoked = await makeKey(admin);
await admin.client.delete(`/api-keys/${revoked.id}`);
const expiring = await makeKey(admin, {
  expires_at: new Date(h.clock.now().getTime() + 60_000).toISOString(),
});
h.clock.advance(61);
const expired = new KeyClient(h, expiring.key);
// The first use after the expiry has an entry of its own, which test/api/orgs/api-keys.test.ts checks.
await expired.get("/contracts");

const inOrg = operations
  .filter(
    (operation): operation is OrgOperation =>
      operation.policy.who === "org" && !operation.isStream && !endings.includes(operation.id),
  )
  .map((operation) => [operation.id, operation] as const);

function send(client: Client, { id, method, path }: Operation, params: Params, headers: Params = {}) {
  const url = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, params[name] ?? unknownId),
    path,
  );
  const { body, query = {} } = requests[id] as Request;
  return client.request(method, url, typeof body === "function" ? body(params) : body, { headers, query });
}

/** The outcome of a request with the entries that it left in the audit logs of all orgs. */
async function outcome(reply: Reply, org_id = admin.org_id) {
  const rows = await h.app.db
    .selectFrom("audit_log")
    .select(["action", "details", "org_id"])
    .where("request_id", "=", String(reply.headers["x-request-id"]))
    .execute();
  const entries = rows.map(({ action, details, org_id: of }) => {
    const { operation, reason } = details as { operation: string; reason: string };
    return `${action} ${operation} ${reason}${of === org_id ? "" : " in another org"}`;
  });
  const code = (reply.body as { code?: string } | undefined)?.code;
  return [`${reply.status} ${code ?? ""}`.trim(), ...entries];
}

test.each(inOrg)(
  "a refusal of %s is in the audit log, and what is not a refusal is not",
  async (id, orgOperation) => {
    // The number of recorded refusals per hour is limited.
    h.clock.advance(3_601);
    const { policy, method } = orgOperation;
    const request = requests[id] as Request;
    const ids: Params = { org_id: admin.org_id, ...(await request.ids?.(admin)) };

    const denied = policy.role === "admin" ? "admin_required" : "role_required";
    if (!hasRole("viewer", policy.role))
      expect(await outcome(await send(viewer.client, orgOperation, ids))).toEqual([
        `403 ${denied}`,
        `access.denied ${id} ${denied}`,
      ]);
    if (policy.tier && !isAtLeast("free", policy.tier))
      expect(
        await outcome(await send(free.client, orgOperation, { org_id: free.org_id }), free.org_id),
      ).toEqual(["403 tier_required", `access.denied ${id} tier_required`]);

    const refused = policy.keys ? "read_only_key" : "session_required";
    if (!policy.keys || method !== "GET")
      expect(await outcome(await send(readOnly, orgOperation, ids))).toEqual([
        `403 ${refused}`,
        `api_key.scope_denied ${id} ${refused}`,
      ]);
    for (const [client, code] of [
      [new KeyClient(h, revoked.key), "api_key_revoked"],
      [expired, "api_key_expired"],
    ] as const)
      expect(await outcome(await send(client, orgOperation, ids))).toEqual([
        `401 ${code}`,
        `access.denied ${id} ${code}`,
      ]);
    if (method !== "GET")
      expect(
        await outcome(await send(admin.client, orgOperation, ids, { origin: "https://elsewhere.example" })),
      ).toEqual(["403 csrf", `access.denied ${id} csrf`]);

    const isHidden = grantsOf(request) === "contract" && "contract_id" in ids && policy.role !== "admin";
    if (isHidden) {
      await grant(admin, String(ids.contract_id), grantee);
      expect(await outcome(await send(member.client, orgOperation, ids))).toEqual([
        request.unseen ?? "404 not_found",
        `access.denied ${id} not_found`,
      ]);
    }

    // An unknown id, one of another org, a request without credentials and an invalid one are not refusals.
    const foreign = { org_id: other.org_id, ...(await request.ids?.(other)) };
    if (request.ids || policy.org === "path")
      for (const params of [foreign, {}])
        expect(await outcome(await send(admin.client, orgOperation, params))).toEqual([
          policy.org === "path" ? "404 not_found" : (request.unseen ?? "404 not_found"),
        ]);
    expect(await outcome(await send(h.anonymous(), orgOperation, ids))).toEqual(["401 unauthenticated"]);
    if (orgOperation.body)
      expect(
        await outcome(
          await admin.client.request(method, orgOperation.path.replace(/\{\w+\}/g, unknownId), []),
        ),
      ).toEqual(["422"]);
  },
);

test("a loop of refused requests does not fill the audit log", async () => {
  h.clock.advance(3_601);
  const client = new KeyClient(h, revoked.key);
  const count = async () =>
    (
      await h.app.db
        .selectFrom("audit_log")
        .select("id")
        .where("action", "=", "access.denied")
        .where("org_id", "=", admin.org_id)
        .execute()
    ).length;
  const before = await count();
  for (let n = 0; n < 110; n++) await client.get("/contracts");
  expect((await count()) - before).toBe(100);
});

test("an invite that was sent to another address is refused, and the org sees who tried", async () => {
  const token = await invite(admin, "guest@example.com", "viewer");
  const reply = await free.client.post(`/invites/${token}/accept`);
  expect(await outcome(reply)).toEqual([
    "403 invite_email_mismatch",
    "access.denied acceptInvite invite_email_mismatch",
  ]);
});
