import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { listEvents } from "../src/store/alerts/history.ts";
import type { Db } from "../src/store/open-store.ts";
import { orgViewer } from "../src/store/viewer.ts";
import { onFreshDatabase } from "./engine-world.ts";

const pages = 200;

/** History: the first and the deepest page, with and without a filter, over BENCH_EVENTS events. */
export async function benchHistory(): Promise<void> {
  const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
  await onFreshDatabase(async (app, patient) => {
    const org_id = randomUUID();
    await insertEvents(patient, org_id, events);
    const viewer = orgViewer(org_id);
    const first = await measure(() => listEvents(app.db, viewer, { limit: 200, offset: 0 }));
    const deepest = await measure(() => listEvents(app.db, viewer, { limit: 200, offset: 10_000 }));
    console.log(`${events} events, pages of 200`);
    console.log(`first page: p50 ${first.p50} ms, p95 ${first.p95} ms`);
    console.log(`deepest page: p50 ${deepest.p50} ms, p95 ${deepest.p95} ms`);
    console.log(`the deepest costs ${(deepest.p95 / first.p95).toFixed(2)} times the first (p95)`);
  });
}

export async function measure(
  work: () => Promise<unknown>,
  times = pages,
): Promise<{ p50: number; p95: number }> {
  const taken: number[] = [];
  for (let page = 0; page < times; page++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  const sorted = taken.slice(10).sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

/** Fills an org's history with one alert every `everySeconds` back from now. */
export async function insertEvents(db: Db, org_id: string, events: number, everySeconds = 1): Promise<void> {
  await sql`insert into orgs (id, name, tier, created_at) values (${org_id}, 'Org', 'enterprise', now())`.execute(
    db,
  );
  // Without listeners, millions of stream announcements would take longer than the events.
  await sql`alter table alert_events disable trigger user`.execute(db);
  const indexes = await dropIndexes(db);
  const batch = 100_000;
  for (let from = 0; from < events; from += batch) {
    await sql`
      insert into alert_events (id, org_id, kind, status, rule_id, rule_version, observation, rule_name, contract_id, chain,
        chain_id, target_id, target_type, severity, title, message, value, threshold, operator, window_seconds, fired_at,
        detected_at, finality, explanation, created_at)
      select gen_random_uuid(), ${org_id}, 'fired', 'resolved', gen_random_uuid(), 1, 'x:' || n, 'Rule', md5((n % 250)::text)::uuid,
        'local', 31337, gen_random_uuid(), 'event_frequency', 'warning', 'Title', 'Message', 1, 1, 'gte', 60,
        now() - n * ${everySeconds}::float8 * interval '1 second', now(), 'finalized', '{"reason": "first_breach", "samples": []}', now()
      from generate_series(${from + 1}::int, ${from + batch}::int) n`.execute(db);
  }
  for (const definition of indexes) await sql.raw(definition).execute(db);
  await sql`
    insert into alert_hours_touched
    select distinct org_id, date_trunc('hour', fired_at, 'UTC') from alert_events`.execute(db);
  await sql`vacuum analyze alert_events`.execute(db);
}

/**
 * Drops the indexes that no constraint needs and returns their definitions: rebuilding is faster than maintaining
 * them.
 */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'alert_events'::regclass and not indisunique`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows.map(({ definition }) => definition);
}
