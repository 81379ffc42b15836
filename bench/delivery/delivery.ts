import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { runDelivery } from "../../src/delivery/run-delivery.ts";
import { makeAddressPolicy } from "../../src/lib/outbound/address-policy.ts";
import { makeOutbound } from "../../src/lib/outbound/outbound.ts";
import { onFreshDatabase } from "../engine-world.ts";
import { channelsPerOrg, insertSystemAlerts, makeOrgs, orgs, type Sink, startSink } from "./world.ts";

/**
 * Measures delivery to a local receiver: messages per second from notice to recorded attempt, the latency of a single
 * message, and its latency during the storm of another org, arriving steadily and all at once. BENCH_DELIVERIES sets
 * the number.
 */
export async function benchDelivery(): Promise<void> {
  const total = Number(process.env.BENCH_DELIVERIES ?? 20_000);
  await onFreshDatabase(async (plain) => {
    const sink = await startSink();
    const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["127.0.0.0/8"] }) });
    const app = { ...plain, outbound };
    const ids = await makeOrgs(app, sink.url);
    try {
      await measureRate(app, ids, total);
      const [quiet, loud] = ids as [string, string];
      const idle = await measureLatency(app, quiet, sink);
      say("alone", idle);
      const pace = startStorm(app, loud);
      say("beside 10,000 alerts of another org in a minute", await measureLatency(app, quiet, sink), idle);
      await pace.stop();
      await settle(app);
      // The storm before used up the hour's limit of messages.
      await app.db.deleteFrom("message_counts").execute();
      await insertSystemAlerts(app, [loud], total / channelsPerOrg);
      say(`beside ${total} messages of another org at once`, await measureLatency(app, quiet, sink), idle);
    } finally {
      outbound.close();
      await sink.stop();
    }
  });
}

async function measureRate(app: App, org_ids: string[], total: number): Promise<void> {
  await insertSystemAlerts(app, org_ids, total / channelsPerOrg);
  const started = performance.now();
  const delivery = runDelivery(app);
  await untilSettled(app);
  const seconds = (performance.now() - started) / 1000;
  await delivery.stop();
  const { rows } = await sql<{
    attempts: string;
  }>`select count(*) as attempts from delivery_attempts`.execute(app.db);
  console.log(
    `${total} messages of ${orgs} orgs, ${rows[0]?.attempts} attempts on record, ${seconds.toFixed(1)} s`,
  );
  console.log(`${Math.round(total / seconds)} deliveries/s`);
}

async function untilSettled(app: App): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      (select 1 from alert_notices where fanned_out_at is null limit 1)
      union all (select 1 from deliveries where status in ('queued', 'sending') limit 1)`.execute(app.db);
    if (rows.length === 0) return;
    await app.clock.sleep(50);
  }
}

type Latency = { p50: number; p95: number; p99: number };

function say(what: string, took: Latency, idle?: Latency): void {
  const times = (share: keyof Latency) => (idle ? ` (${(took[share] / idle[share]).toFixed(2)} times)` : "");
  const parts = (["p50", "p95", "p99"] as const).map((share) => `${share} ${took[share]} ms${times(share)}`);
  console.log(`${what}: ${parts.join(", ")} from notice to arrival`);
}

/** A steady storm: a fixed number of alerts every tenth of a second until stopped. */
function startStorm(app: App, org_id: string): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const next = app.clock.sleep(100, stopping.signal);
      await insertSystemAlerts(app, [org_id], Math.round(10_000 / 600));
      await next;
    }
  };
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** Delivers the backlog, so that it does not affect the next measurement. */
async function settle(app: App): Promise<void> {
  const delivery = runDelivery(app);
  await untilSettled(app);
  await delivery.stop();
}

/** Measures one message at a time for twenty seconds, from its notice to its arrival. */
async function measureLatency(app: App, org_id: string, sink: Sink): Promise<Latency> {
  const delivery = runDelivery(app);
  const sentAt = new Map<string, number>();
  for (let count = 0; count < 400; count++) {
    const next = app.clock.sleep(50);
    const at = performance.timeOrigin + performance.now();
    for (const event_id of await insertSystemAlerts(app, [org_id], 1)) sentAt.set(event_id, at);
    await next;
  }
  await untilTold(app, [...sentAt.keys()]);
  await delivery.stop();
  const seen = await sink.seen();
  const { rows } = await sql<{ id: string; event_id: string }>`
    select min(delivery_id::text) as id, event_id from delivery_notices
    where event_id = any(${[...sentAt.keys()]}::uuid[]) group by event_id`.execute(app.db);
  const taken = rows.map(({ id, event_id }) => (seen.get(id) ?? Number.NaN) - (sentAt.get(event_id) ?? 0));
  const sorted = taken.slice(10).sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

async function untilTold(app: App, event_ids: string[]): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from unnest(${event_ids}::uuid[]) e where not exists (
        select 1 from delivery_notices l join deliveries d on d.id = l.delivery_id where l.event_id = e and d.status = 'sent')
      limit 1`.execute(app.db);
    if (rows.length === 0) return;
    await app.clock.sleep(50);
  }
}
