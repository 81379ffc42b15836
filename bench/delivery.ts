import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { channelOf } from "../src/channels/index.ts";
import { sealConfig } from "../src/delivery/channel-config.ts";
import { runDelivery } from "../src/delivery/run-delivery.ts";
import { makeAddressPolicy } from "../src/lib/address-policy.ts";
import { makeOutbound } from "../src/lib/outbound.ts";
import { onFreshDatabase } from "./engine-world.ts";

const orgs = 50;
const channelsEach = 2;

/**
 * Delivery to a receiver on this machine: how many messages a second from notice to recorded attempt, how long one takes
 * by itself, and how long while another org's storm goes on, one as it comes and one that is there at once. BENCH_DELIVERIES for another number.
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
      await notice(app, [loud], total / channelsEach);
      say(`beside ${total} messages of another org at once`, await measureLatency(app, quiet, sink), idle);
    } finally {
      outbound.close();
      await sink.stop();
    }
  });
}

type Sink = Awaited<ReturnType<typeof startSink>>;

async function startSink() {
  const worker = new Worker(new URL("./sink-worker.ts", import.meta.url));
  const [{ address }] = (await once(worker, "message")) as [{ address: AddressInfo }];
  return {
    url: `http://127.0.0.1:${address.port}/`,
    /** When each message came, in milliseconds since 1970. */
    async seen(): Promise<Map<string, number>> {
      worker.postMessage("seen");
      const [{ seen }] = (await once(worker, "message")) as [{ seen: [string, number][] }];
      return new Map(seen);
    },
    stop: () => worker.terminate(),
  };
}

/** Orgs with webhooks; what the service itself notices goes to all of an org's channels. */
async function makeOrgs(app: App, url: string): Promise<string[]> {
  const webhook = channelOf("webhook");
  if (!webhook) throw new Error("there is no webhook channel");
  const ids = Array.from({ length: orgs }, () => randomUUID());
  await sql`insert into orgs (id, name, tier, created_at)
    select id, 'Org', 'enterprise', now() from unnest(${ids}::uuid[]) id`.execute(app.db);
  for (const org_id of ids) {
    for (let count = 0; count < channelsEach; count++) {
      const id = randomUUID();
      const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
      const { config, sealed_secrets } = sealConfig(app, webhook, id, { url, secret });
      await sql`insert into channels (id, org_id, type, name, config, sealed_secrets, created_at, updated_at)
        values (${id}, ${org_id}, 'webhook', 'Hook', ${config}::jsonb, ${sealed_secrets}, now(), now())`.execute(
        app.db,
      );
    }
  }
  return ids;
}

/** Puts events on record of which people are to be told. */
async function notice(app: App, org_ids: string[], events: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    with made as (
      insert into alert_events (id, org_id, kind, status, rule_id, rule_version, observation, rule_name, chain, chain_id,
        target_type, severity, title, message, operator, fired_at, detected_at, finality, explanation, created_at)
      select gen_random_uuid(), (${org_ids}::uuid[])[1 + n % ${org_ids.length}::int], 'error', 'firing', null, 0,
        'bench:' || gen_random_uuid(), 'Tocsin itself', 'local', 31337, 'chain', 'critical', 'Title', 'Message', 'absent',
        now(), now(), 'finalized', '{}', now()
      from generate_series(1, ${events}::int) n returning id, org_id)
    insert into alert_notices (id, org_id, event_id, kind, occurrence, created_at)
    select gen_random_uuid(), org_id, id, 'fired', 0, clock_timestamp() from made returning event_id`.execute(
    app.db,
  );
  app.bus.publish({ topic: "notice.written" });
  return rows.map(({ event_id }) => event_id);
}

async function measureRate(app: App, org_ids: string[], total: number): Promise<void> {
  await notice(app, org_ids, total / channelsEach);
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

/** A storm as it comes: so many alerts every tenth of a second, until stopped. */
function startStorm(app: App, org_id: string): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const next = app.clock.sleep(100, stopping.signal);
      await notice(app, [org_id], Math.round(10_000 / 600));
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

/** Sends what is left over, so that it does not count for what comes next. */
async function settle(app: App): Promise<void> {
  const delivery = runDelivery(app);
  await untilSettled(app);
  await delivery.stop();
}

/** One message at a time, over and over for twenty seconds: from its notice on record to its arrival. */
async function measureLatency(app: App, org_id: string, sink: Sink): Promise<Latency> {
  const delivery = runDelivery(app);
  const sentAt = new Map<string, number>();
  for (let count = 0; count < 400; count++) {
    const next = app.clock.sleep(50);
    const at = performance.timeOrigin + performance.now();
    for (const event_id of await notice(app, [org_id], 1)) sentAt.set(event_id, at);
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
