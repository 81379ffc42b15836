import { expect, test } from "vitest";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { applyPoliciesJob } from "../../src/jobs/apply-policies.ts";
import { insertInboxMessage } from "../../src/store/channels/inbox.ts";
import type { DashboardStats } from "../../src/wire/analytics/dashboard-stats.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import type { WalletDiscovery } from "../../src/wire/imports/discoveries.ts";
import { startDiscovery } from "../inspection/discovery/discovery-steps.ts";
import type { Reply } from "../support/client.ts";
import { harness } from "../support/harness.ts";
import {
  addContract,
  addDelivery,
  addRule,
  addTarget,
  freshAddress,
  freshId,
  grant,
  recordEvent,
} from "./contracts/contract-steps.ts";
import { grantsOf, makeRequests, type Request } from "./matrix.ts";
import { matrixEnv } from "./matrix-resources.ts";
import { makeKey } from "./orgs/keys.ts";
import { join, teamAdmin } from "./steps.ts";

/**
 * Operations on lists and documents, for each level of access to a restricted contract. Operations that name a contract
 * are tested in access.test.ts; `grantsOf` assigns every operation to one of the tests.
 */
const h = await harness({ env: matrixEnv });
const requests = await makeRequests(h);
const admin = await teamAdmin(h);
const byLevel = [
  ["none", await join(h, admin, "member")],
  ["viewer", await join(h, admin, "member")],
  ["editor", await join(h, admin, "member")],
  ["admin", admin],
] as const;
type Level = (typeof byLevel)[number][0];
for (const [, { client }] of byLevel) await client.post(`/orgs/${admin.org_id}/switch`);

const withGrants = (kind: Request["grants"]) =>
  operations
    .filter(({ id }) => requests[id] && grantsOf(requests[id]) === kind)
    .map((operation) => [operation.id, operation] as const);

/** Adds a contract with a grant for each person who needs one. */
async function addRestricted(): Promise<Contract> {
  const contract = await addContract(admin);
  for (const [level, person] of byLevel)
    if (level === "viewer" || level === "editor") await grant(admin, contract.id, person, level);
  return contract;
}

/**
 * Adds a contract that every list mentions: with a feed, a rule, an event, a delivery, a message, a silence, an anomaly and a
 * policy.
 */
async function addListed(): Promise<Contract & { event_id: string }> {
  const contract = await addRestricted();
  const target = await addTarget(admin, contract.id, { target_type: "oracle_price" });
  const rule = await addRule(admin, target.id);
  const event_id = await recordEvent(h, admin.org_id, { contract, target, rule });
  await addInboxMessage(await addDelivery(h, admin.org_id, event_id));
  const ends_at = "2999-01-01T00:00:00Z";
  await admin.client.post("/silences", { contract_id: contract.id, reason: "Planned", ends_at });
  await addAnomaly(contract, target);
  await addFailingPolicy(contract);
  return { ...contract, event_id };
}

/** Stores what a delivery to an inbox stores. */
async function addInboxMessage(id: string): Promise<void> {
  const { channel_id } = await h.app.db
    .selectFrom("deliveries")
    .select("channel_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const about = { org_id: admin.org_id, channel_id, delivery_id: id, received_at: h.clock.now() };
  const text = { kind: "fired", severity: "critical" as const, title: "Critical", message: "It happened." };
  await insertInboxMessage(h.app.db, { id, ...about, ...text });
}

async function addAnomaly({ id: contract_id }: Contract, { id: target_id }: Target): Promise<void> {
  const now = h.clock.now();
  const about = { org_id: admin.org_id, contract_id, target_id, chain_id: "31337" };
  const finding = { anomaly_type: "spike", severity: "warning" as const, score: 5, value: 9, expected: 1 };
  await h.app.db
    .insertInto("anomalies")
    .values({ id: freshId(), ...about, ...finding, at: now, last_seen_at: now })
    .execute();
}

/** Adds a policy that names the contract as one that cannot have its rule. */
async function addFailingPolicy({ id }: Contract): Promise<void> {
  await admin.client.post(`/contracts/${id}/labels`, { value: "listed" });
  await admin.client.post("/policies", {
    name: "Failing",
    selector: { labels: ["listed"] },
    target: { target_type: "oracle_price", config: { feed: freshAddress() } },
    rule: { severity: "info", condition: { operator: "gt", threshold: 1 }, record_only: true },
  });
  while ((await applyPoliciesJob.run(h.app)).hasMore);
}

const listed = await addListed();

const outcome = ({ status, body }: Reply) =>
  status < 400 || status === 422 ? String(status) : `${status} ${(body as { code?: string }).code}`;
const mentionsContract = ({ text }: Reply) =>
  Number([listed.id, listed.address, listed.event_id].some((one) => text.includes(one)));
/** Statistics name no contract; they count it. */
const countsContract = ({ body }: Reply) => (body as { contracts: { total: number } }).contracts.total;

test.each(withGrants("filtered"))(
  "%s shows a restricted contract to every access level except none",
  async (id, { method, path }) => {
    const shown = id === "getDashboardStats" ? countsContract : mentionsContract;
    const found = byLevel.map(async ([level, { client }]) => {
      const reply = await client.request(method, path, undefined, { query: requests[id]?.query ?? {} });
      return [level, shown(reply)];
    });
    expect(Object.fromEntries(await Promise.all(found))).toEqual({ none: 0, viewer: 1, editor: 1, admin: 1 });
  },
);

test("no total or count of the dashboard counts a restricted contract for people without access", async () => {
  for (const [level, { client }] of byLevel) {
    const { body } = await client.get("/dashboard/stats");
    const { contracts, rules, alerts_24h, deliveries_24h, quota } = body as DashboardStats;
    const { warning, critical } = alerts_24h;
    const counts = [contracts.total, rules.total, rules.firing, warning + critical, deliveries_24h.sent];
    const seen = [...counts, quota.contracts.used, quota.rules.used].map((count) => count > 0);
    expect([level, new Set(seen)]).toEqual([level, new Set([level !== "none"])]);
    for (const path of ["/contracts", "/alerts"]) {
      const all = await client.get(path);
      const first = await client.get(path, { query: { limit: "1" } });
      const totals = [all, first].map(({ headers }) => Number(headers["x-total-count"]));
      const { length } = all.body as unknown[];
      expect([level, path, length > 0, ...totals]).toEqual([level, path, level !== "none", length, length]);
    }
  }
});

/** Documents that change the contract, and for each access level the outcome, or the code of the only item. */
const documents: [string, (contract: Contract) => object, Record<Level, string>][] = [
  [
    "applyConfig",
    ({ address }) => ({ version: 1, contracts: [{ chain: "local", address, label: freshId() }] }),
    { none: "422", viewer: "403 role_required", editor: "200", admin: "200" },
  ],
  [
    "importFromDefender",
    ({ address }) => ({
      export: [
        { name: freshId(), network: "local", addressRules: [{ addresses: [address], conditions: [] }] },
      ],
    }),
    { none: "role_required", viewer: "role_required", editor: "200", admin: "200" },
  ],
];

test("every operation on documents has one that changes a restricted contract", () => {
  expect(documents.map(([id]) => id).sort()).toEqual(
    withGrants("document")
      .map(([id]) => id)
      .sort(),
  );
});

test.each(documents)(
  "%s changes a restricted contract only for an editor or an admin",
  async (id, bodyFor, expected) => {
    const { method, path } = operations.find((operation) => operation.id === id) as Operation;
    const contract = await addRestricted();
    for (const [level, { client }] of byLevel) {
      const before = (await admin.client.get("/config")).text;
      const reply = await client.request(method, path, bodyFor(contract));
      const item = (reply.body as { items?: { code: string | null }[] }).items?.[0];
      expect([level, item?.code ?? outcome(reply)]).toEqual([level, expected[level]]);
      const isChanged = (await admin.client.get("/config")).text !== before;
      expect([level, isChanged]).toEqual([level, expected[level] === "200"]);
    }
  },
);

/** Adds a channel, a policy, a discovery and a key that have to do with the listed contract. */
async function addRelated() {
  const { channel_id } = await h.app.db
    .selectFrom("inbox_messages")
    .select("channel_id")
    .where("org_id", "=", admin.org_id)
    .executeTakeFirstOrThrow();
  const { id: policy_id } = await h.app.db
    .selectFrom("policies")
    .select("id")
    .where("org_id", "=", admin.org_id)
    .executeTakeFirstOrThrow();
  const key = await makeKey(admin, { contract_scope: [listed.id] });
  const id = await addDiscoveryOf(listed.address);
  return { channel_id, policy_id, id, key_id: key.id, org_id: admin.org_id };
}

/** Adds a discovery that found one contract. */
async function addDiscoveryOf(address: string): Promise<string> {
  const { id } = await startDiscovery(admin, freshAddress());
  const found = { address, relation: "deployed", tx_count: 1, last_at: null, name: "Found" };
  const results = [{ ...found, contract_type: "erc20", category: "token", suggested_targets: [] }];
  await h.app.db
    .updateTable("wallet_discovery_chains")
    .set({ results: JSON.stringify(results), found: 1, status: "completed" })
    .where("discovery_id", "=", id)
    .execute();
  return id;
}

test("no operation that declares grants as unrelated reveals or changes a restricted contract", async () => {
  const [, none] = byLevel[0];
  const ids: Record<string, string> = await addRelated();
  const before = JSON.stringify((await admin.client.get(`/contracts/${listed.id}`)).body);
  const rank = { GET: 0, POST: 1, PUT: 1, PATCH: 1, DELETE: 2 };
  const unrelated = withGrants("unrelated").map(([, operation]) => operation);
  expect(unrelated.length).toBeGreaterThan(30);
  for (const { id, method, path } of unrelated.sort((a, b) => rank[a.method] - rank[b.method])) {
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? freshId());
    const { body, query = {} } = requests[id] ?? {};
    const reply = await none.client.request(method, url, typeof body === "function" ? body(ids) : body, {
      query,
    });
    expect(reply.status, `${id}: ${reply.text}`).not.toBe(500);
    // The address is what a discovery found on the chain, for everyone.
    const secrets = [
      listed.id,
      listed.event_id,
      ...(id.endsWith("WalletDiscovery") || id.endsWith("Discoveries") ? [] : [listed.address]),
    ];
    expect(
      secrets.filter((secret) => reply.text.includes(secret)),
      `${id}: ${reply.text}`,
    ).toEqual([]);
  }
  expect(JSON.stringify((await admin.client.get(`/contracts/${listed.id}`)).body)).toBe(before);
  expect((await admin.client.get(`/contracts/${listed.id}/targets`)).body).toHaveLength(1);
});

test("importing a discovered contract that is restricted neither shows nor changes it, for every access level", async () => {
  const contract = await addRestricted();
  await admin.client.patch(`/contracts/${contract.id}`, { label: "Secret vault" });
  const discovery_id = await addDiscoveryOf(contract.address);
  const before = (await admin.client.get("/config")).text;
  for (const [level, { client }] of byLevel) {
    const { body } = await client.get(`/wallet-discoveries/${discovery_id}`);
    expect([level, (body as WalletDiscovery).results.map((result) => result.already_imported)]).toEqual([
      level,
      [level !== "none"],
    ]);
    const addresses = [{ address: contract.address, chain_id: 31337, enable_suggested_targets: true }];
    const reply = await client.post(`/wallet-discoveries/${discovery_id}/import`, { addresses });
    // As POST /contracts, it says that the address is taken, and nothing else.
    expect([level, reply.status, reply.body]).toEqual([
      level,
      200,
      { imported: 0, skipped: 1, failed: 0, errors: [] },
    ]);
  }
  expect((await admin.client.get("/config")).text).toBe(before);
});
