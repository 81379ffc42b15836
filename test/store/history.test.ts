import { type KyselyPlugin, RawNode, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type HistoryFilter, listEvents } from "../../src/store/alerts/history.ts";
import type { Db } from "../../src/store/open-store.ts";
import { orgViewer, type Viewer } from "../../src/store/viewer.ts";
import { addContract } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";

const h = await harness();
const owner = await h.person();
const contract = await addContract(owner);
const rule_id = "019a8c1e-7c4b-7d3a-9f21-000000000001";
const admin: Viewer = orgViewer(owner.org_id);
const member: Viewer = { ...admin, user_id: owner.user.id };

const batch = 25_000;
const total = runSize("HISTORY_EVENTS", { short: 75_000, long: 200_000 });

/** Fills the table in good time: keys are not followed, and indexes are put aside and made again as they were. */
beforeAll(async () => {
  await h.app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'alert_events' and indexname <> 'alert_events_pkey'`.execute(tx);
    for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx);
    for (let from = 0; from < total; from += batch) await fill(tx, from);
    for (const { definition } of indexes) await sql.raw(definition).execute(tx);
  });
  await sql`analyze alert_events`.execute(h.app.db);
});

async function fill(tx: Db, from: number): Promise<void> {
  await sql`
    insert into alert_events (id, org_id, kind, status, rule_id, rule_version, observation, rule_name, contract_id, chain,
      chain_id, target_type, severity, title, message, operator, fired_at, detected_at, finality, explanation, created_at)
    select ('019a8c1e-7c4b-7d3a-9f21-' || lpad(to_hex(n), 12, '0'))::uuid, ${owner.org_id}, 'fired', 'resolved', ${rule_id},
      1, n::text, 'Rule', ${contract.id}::uuid, 'local', 31337, 'tx_rate', 'info', 'Title', 'Message', 'gt', at, at,
      'finalized', '{}', at
    from (
      select n, timestamptz '2026-06-01' + n * interval '1 second' as at
      from generate_series(${from}::int + 1, ${from}::int + ${batch}::int) n) series`.execute(tx);
}

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Plan[] };

/** Runs a query as EXPLAIN, keeps its plan and returns no rows. */
function explain(plans: Plan[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => RawNode.create(["explain (format json) ", ""], [node]),
    transformResult: async ({ result }) => {
      const [{ "QUERY PLAN": plan }] = result.rows as unknown as [{ "QUERY PLAN": [{ Plan: Plan }] }];
      plans.push(plan[0].Plan);
      return { ...result, rows: [] };
    },
  };
}

async function planOf(viewer: Viewer, filter: Partial<HistoryFilter>): Promise<Plan[]> {
  const plans: Plan[] = [];
  const db = h.app.db.withPlugin(explain(plans));
  await listEvents(db, viewer, { limit: 200, offset: 0, ...filter });
  const withParts = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withParts)];
  return plans.flatMap(withParts);
}

test.each([
  ["the first page of an org", admin, {}, "alert_events_by_org"],
  ["the deepest page of an org", admin, { offset: 10_000 }, "alert_events_by_org"],
  ["a pinned page", admin, { to: "2026-06-02T00:00:00Z", offset: 5_000 }, "alert_events_by_org"],
  ["the first page of a member", member, {}, "alert_events_by_org"],
  ["the deepest page of a member", member, { offset: 10_000 }, "alert_events_by_org"],
])("%s is read from an index in order", async (_what, viewer, filter, index) => {
  const plan = await planOf(viewer, filter);
  const scans = plan.filter((node) => node["Relation Name"] === "alert_events");
  expect(scans.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  expect(scans.map((node) => node["Index Name"])).toContain(index);
});

test.each([
  ["a rule's first page", { rule_id }],
  ["a rule's deepest page", { rule_id, offset: 10_000 }],
  ["a contract's first page", { contract_id: contract.id }],
  ["a contract's deepest page", { contract_id: contract.id, offset: 10_000 }],
  ["a page of one severity", { severity: "info", offset: 10_000 }],
])("%s does not scan the whole table", async (_what, filter) => {
  const plan = await planOf(admin, filter);
  const scans = plan.filter((node) => node["Relation Name"] === "alert_events");
  expect(scans.length).toBeGreaterThan(0);
  expect(scans.map((node) => node["Node Type"])).not.toContain("Seq Scan");
});
