import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { channelOf } from "../../src/channels/index.ts";
import { sealConfig } from "../../src/delivery/channel-config.ts";

export const orgs = 50;
export const channelsPerOrg = 2;

export type Sink = Awaited<ReturnType<typeof startSink>>;

/** A webhook receiver in its own thread. */
export async function startSink() {
  const worker = new Worker(new URL("./sink-worker.ts", import.meta.url));
  const [{ address }] = (await once(worker, "message")) as [{ address: AddressInfo }];
  return {
    url: `http://127.0.0.1:${address.port}/`,
    /** The arrival time of each message, in epoch milliseconds. */
    async seen(): Promise<Map<string, number>> {
      worker.postMessage("seen");
      const [{ seen }] = (await once(worker, "message")) as [{ seen: [string, number][] }];
      return new Map(seen);
    },
    stop: () => worker.terminate(),
  };
}

/** Inserts orgs with webhook channels. */
export async function makeOrgs(app: App, url: string): Promise<string[]> {
  const webhook = channelOf("webhook");
  if (!webhook) throw new Error("there is no webhook channel");
  const ids = Array.from({ length: orgs }, () => randomUUID());
  await sql`insert into orgs (id, name, tier, created_at)
    select id, 'Org', 'enterprise', now() from unnest(${ids}::uuid[]) id`.execute(app.db);
  for (const org_id of ids) {
    for (let count = 0; count < channelsPerOrg; count++) {
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

/** Inserts system alerts, which go to all channels of their org, and returns their ids. */
export async function insertSystemAlerts(app: App, org_ids: string[], events: number): Promise<string[]> {
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
