import { expect, test } from "vitest";
import { type Operation, paramNames } from "../../../src/http/operation.ts";
import { operations } from "../../../src/http/routes/index.ts";
import { allPairs } from "../../support/all-pairs.ts";
import type { Client, Reply } from "../../support/client.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addContract, grant } from "../contracts/contract-steps.ts";
import { endings, grantsOf, makeRequests, type Params, type Request } from "../matrix.ts";
import { matrixEnv } from "../matrix-resources.ts";
import { join, unknownId } from "../steps.ts";
import { KeyClient, makeKey, makeKeyClient } from "./keys.ts";

/**
 * Every operation with every pair of a key's scope and restriction, the place of the resource (in the scope of the key, others of
 * its org, those of another org and unknown ones) and whether its contract is restricted. The expected reply follows from the row in the request matrix and not from the policy of the
 * operation.
 */
const h = await harness({ env: matrixEnv });
const admin = await enterpriseAdmin();
const other = await enterpriseAdmin();
const member = await join(h, admin, "member");
const requests = await makeRequests(h);

async function enterpriseAdmin(): Promise<Person> {
  const person = await h.personOn("enterprise");
  return person;
}

/** The scope of a chain-scoped key: `local` and not `ethereum`. */
const scopedChain = 31337;
const places = ["own", "other in the org", "another org's", "unknown"] as const;
type Place = (typeof places)[number];
type KeyCase = {
  place: Place;
  restriction: "none" | "contract" | "chain";
  scope: "read_write" | "read_only";
  /** Keys act for their org: the grants of its members do not concern them. */
  contract: "open" | "restricted to a member";
};

const scopedContract = await addContract(admin);
const restrictions = {
  none: {},
  contract: { contract_scope: [scopedContract.id] },
  chain: { chain_scope: [scopedChain] },
};
const keyClients = {
  read_write: await makeKeyClients("read_write"),
  read_only: await makeKeyClients("read_only"),
};
const readWrite = keyClients.read_write.none;
const readOnly = keyClients.read_only.none;
const chainScoped = keyClients.read_write.chain;

async function makeKeyClients(scope: KeyCase["scope"]) {
  return {
    none: await makeKeyClient(h, admin, { scope }),
    contract: await makeKeyClient(h, admin, { scope, ...restrictions.contract }),
    chain: await makeKeyClient(h, admin, { scope, ...restrictions.chain }),
  };
}

const revoked = await makeKey(admin);
await admin.client.delete(`/api-keys/${revoked.id}`);
const expiring = await makeKey(admin, {
  expires_at: new Date(h.clock.now().getTime() + 60_000).toISOString(),
});
h.clock.advance(61);
const downgraded = await enterpriseAdmin();
const downgradedKey = await makeKeyClient(h, downgraded);
await h.setTier(downgraded.org_id, "free");
const invalidKeys: [string, Client][] = [
  ["401 api_key_revoked", new KeyClient(h, revoked.key)],
  ["401 api_key_expired", new KeyClient(h, expiring.key)],
  ["401 api_key_invalid", new KeyClient(h, "tocsin_nothing")],
];

/** A stream stays open; its access is tested in test/http/stream. */
const inOrg = operations.filter(
  (operation) => operation.policy.who === "org" && !operation.isStream && !endings.includes(operation.id),
);
const withIds = (list: Operation[]) => list.map((operation) => [operation.id, operation] as const);

function send(client: Client, { id, method, path }: Operation, params: Params): Promise<Reply> {
  const url = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, params[name] ?? unknownId),
    path,
  );
  const body = requests[id]?.body;
  const query = requests[id]?.query ?? {};
  return client.request(method, url, typeof body === "function" ? body(params) : body, { query });
}

const outcome = ({ status, body }: Reply) =>
  status < 400 || status === 422 ? String(status) : `${status} ${(body as { code?: string }).code}`;

/** Creates the resources of a place. */
async function idsAt(place: Place, { ids }: Request): Promise<Params> {
  const owner = place === "another org's" ? other : admin;
  const chain = place === "other in the org" ? "ethereum" : "local";
  const made = place === "unknown" ? {} : await ids?.(owner, chain);
  return { org_id: place === "unknown" ? unknownId : owner.org_id, chain, ...made };
}

/** Resources by what creates them and by their place; requests that change nothing share them. */
const shared = new Map<Request["ids"], Map<string, Promise<Params>>>();

function sharedIdsFor(one: KeyCase, request: Request): Promise<Params> {
  const byPlace = shared.get(request.ids) ?? new Map<string, Promise<Params>>();
  shared.set(request.ids, byPlace);
  const place = `${one.place}, ${one.contract}`;
  const ids = byPlace.get(place) ?? idsFor(one, request);
  byPlace.set(place, ids);
  return ids;
}

/** Creates the resources of a case. A change that succeeds consumes them. */
async function idsFor({ place, contract }: KeyCase, request: Request): Promise<Params> {
  const ids = await idsAt(place, request);
  if (contract !== "open" && ids.contract_id) await grant(admin, ids.contract_id, member, "editor");
  return ids;
}

/** The places to test: without an id in the path or body there is only "own". */
const placesOf = ({ path }: Operation, { ids, keys }: Request): readonly Place[] => {
  if (ids || path.includes("{org_id}")) return places;
  return keys === "new" ? ["own", "other in the org"] : ["own"];
};

/** The cases of an operation. Only a contract of the org can be restricted. */
const casesOf = (operation: Operation, request: Request): KeyCase[] =>
  allPairs<KeyCase>(
    {
      place: placesOf(operation, request),
      restriction: ["none", "contract", "chain"],
      scope: ["read_write", "read_only"],
      contract: grantsOf(request) === "contract" ? ["open", "restricted to a member"] : ["open"],
    },
    ({ place, contract }) => contract === "open" || !isForeign(place),
  );

const isForeign = (place: Place) => place === "another org's" || place === "unknown";

function expectedOutcome(
  { method, status, path }: Operation,
  request: Request,
  { place, restriction, scope }: KeyCase,
): string {
  const { keys, unseen = "404 not_found" } = request;
  if (keys === "session") return "403 session_required";
  if (scope === "read_only" && method !== "GET") return "403 read_only_key";
  const isScoped = restriction !== "none";
  const outOfScope = "403 out_of_scope";
  if (isScoped && keys === "org") return outOfScope;
  if (
    keys === "discovery" &&
    (restriction === "contract" || (restriction === "chain" && place === "other in the org"))
  ) {
    return method === "POST" ? outOfScope : unseen;
  }
  if (isScoped && keys === "visible" && place !== "own") return unseen;
  if (restriction === "contract" && keys === "new") return outOfScope;
  if (restriction === "contract" && keys === "contract" && place !== "own") return outOfScope;
  if (restriction === "chain" && (keys === "contract" || keys === "new") && place === "other in the org") {
    return outOfScope;
  }
  if (!isForeign(place)) return String(status);
  return path.includes("{org_id}") ? "404 not_found" : unseen;
}

/** The client of a case. A key that is restricted to contracts has the contract of the resource in its scope. */
async function clientFor({ scope, restriction, place }: KeyCase, { contract_id }: Params): Promise<Client> {
  if (restriction !== "contract" || place !== "own" || !contract_id) return keyClients[scope][restriction];
  return makeKeyClient(h, admin, { scope, contract_scope: [scopedContract.id, contract_id] });
}

async function countDenials(): Promise<number> {
  const { total } = await h.app.db
    .selectFrom("audit_log")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", admin.org_id)
    .where("action", "=", "api_key.scope_denied")
    .executeTakeFirstOrThrow();
  return Number(total);
}

test("the request matrix has a row for every org operation", () => {
  expect(Object.keys(requests).sort()).toEqual(inOrg.map((operation) => operation.id).sort());
});

test.each(withIds(inOrg))(
  "%s answers each key by its scope and restriction and records denials",
  async (id, operation) => {
    const request = requests[id] as Request;
    const before = await countDenials();
    const cells = casesOf(operation, request).map(async (one) => {
      const expected = expectedOutcome(operation, request, one);
      const isConsumed = operation.method !== "GET" && expected === String(operation.status);
      const ids = await (isConsumed ? idsFor(one, request) : sharedIdsFor(one, request));
      const reply = await send(await clientFor(one, ids), operation, ids);
      expect(reply.headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/);
      expect({ ...one, reply: outcome(reply) }).toEqual({ ...one, reply: expected });
      return expected;
    });
    const denials = (await Promise.all(cells)).filter((expected) =>
      /read_only_key|out_of_scope|session_required/.test(expected),
    ).length;
    expect((await countDenials()) - before).toBe(denials);
  },
);

test.concurrent.each(
  [...inOrg, ...operations.filter((operation) => operation.policy.who === "user")].map(
    // The key is checked before the operation, so that each operation gets one of the keys.
    (operation, index) => [operation.id, operation, invalidKeys[index % invalidKeys.length]] as const,
  ),
)("%s answers a revoked, expired or unknown key with its specific error", async (_id, operation, invalid) => {
  const [expected, client] = invalid as [string, Client];
  expect(outcome(await send(client, operation, { org_id: admin.org_id }))).toBe(expected);
});

test.each(withIds(inOrg))(
  "%s answers a key of an org downgraded to Free within the Free tier",
  async (id, operation) => {
    const request = requests[id] as Request;
    const reply = outcome(await send(downgradedKey, operation, { org_id: downgraded.org_id }));
    const { keys, ids, unseen = "404 not_found" } = request;
    const expected = keys === "session" ? "403 session_required" : ids ? unseen : String(operation.status);
    expect(reply).toBe(expected);
    h.clock.advance(61);
  },
);

test.concurrent.each(withIds(operations.filter((operation) => operation.policy.who === "user")))(
  "%s rejects keys because it requires a session",
  async (_id, operation) => {
    expect(outcome(await send(readWrite, operation, { org_id: admin.org_id }))).toMatch(
      /^(403 session_required|422)$/,
    );
  },
);

test.concurrent.each(withIds(operations.filter((operation) => operation.policy.who === "staff")))(
  "%s answers keys with 404, as an unknown path does",
  async (_id, operation) => {
    expect(outcome(await send(readWrite, operation, {}))).toBe("404 not_found");
  },
);

test("lists and histories contain only resources in the key's scope", async () => {
  const inScope = await requests.getAlertEvent?.ids?.(admin, "local");
  const notInScope = await requests.getAlertEvent?.ids?.(admin, "ethereum");
  const byContract = await makeKeyClient(h, admin, { contract_scope: [inScope?.contract_id] });
  for (const path of ["/contracts", "/alerts", "/alerts/history"]) {
    for (const client of [byContract, chainScoped]) {
      const { text } = await client.get(path);
      expect([path, text.includes(inScope?.contract_id ?? "?")]).toEqual([path, true]);
      expect([path, text.includes(notInScope?.contract_id ?? "?")]).toEqual([path, false]);
    }
    const all = (await byContract.get(path)).body as { contract_id?: string; id: string }[];
    expect(new Set(all.map((one) => one.contract_id ?? one.id))).toEqual(new Set([inScope?.contract_id]));
  }
  for (const path of ["/alerts", "/alerts/history"]) {
    const query = { contract_id: notInScope?.contract_id ?? "" };
    expect(outcome(await byContract.get(path, { query }))).toBe("403 out_of_scope");
    expect(outcome(await chainScoped.get(path, { query }))).toBe("403 out_of_scope");
  }
});

test("a rule cannot be moved out of a key's scope", async () => {
  const inScope = await requests.getAlertRule?.ids?.(admin, "local");
  const notInScope = await requests.updateTarget?.ids?.(admin, "local");
  const key = await makeKeyClient(h, admin, { contract_scope: [inScope?.contract_id] });
  const moved = await key.patch(`/alerts/${inScope?.rule_id}`, { target_id: notInScope?.target_id });
  expect(outcome(moved)).toBe("403 out_of_scope");
  expect((await key.patch(`/alerts/${inScope?.rule_id}`, { name: "Louder" })).status).toBe(200);
});

test.each(withIds(inOrg.filter(({ method }) => method !== "GET")))(
  "%s rejects a read-only key whatever the path, the query and the body are, and records it",
  async (id, { method, path }) => {
    const expected = requests[id]?.keys === "session" ? "403 session_required" : "403 read_only_key";
    const junk = paramNames(path).reduce((text, name) => text.replace(`{${name}}`, "junk"), path);
    const before = await countDenials();
    const invalid: [string, string, object?][] = [
      [junk, '{"unknown":', { headers: { "content-type": "application/json" } }],
      [junk, "<xml/>", { headers: { "content-type": "application/xml" } }],
      [`${junk}?unknown=1`, "[]", { headers: { "content-type": "application/json" } }],
    ];
    for (const [url, body, options] of invalid)
      expect(outcome(await readOnly.request(method, url, body, options))).toBe(expected);
    expect((await countDenials()) - before).toBe(invalid.length);
    h.clock.advance(61);
  },
);

test("HEAD and OPTIONS are allowed for a read-only key", async () => {
  expect((await readOnly.request("HEAD", "/contracts", undefined)).status).toBe(200);
  expect((await readOnly.request("OPTIONS", "/contracts", undefined)).status).toBe(204);
});

test.concurrent.each(
  withIds(
    operations.filter((operation) => operation.policy.who === "anyone" || operation.policy.who === "link"),
  ),
)("%s gives the same status with a valid key, an invalid key and no key", async (_id, { method, path }) => {
  const url = path.replace(/\{\w+\}/g, unknownId);
  const anonymous = await h.anonymous().request(method, url, undefined);
  for (const client of [readWrite, ...invalidKeys.map(([, one]) => one)]) {
    const { status } = await client.request(method, url, undefined, { ip: h.anonymous().ip });
    expect(status).toBe(anonymous.status);
  }
});
