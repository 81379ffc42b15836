import { sql } from "kysely";
import pg from "pg";
import { afterAll } from "vitest";
import { harness } from "../support/harness.ts";

/** A database with one org and one channel, in which worlds are simulated one after the other. */
export type Lane = Awaited<ReturnType<typeof makeLane>>;

export async function makeLane() {
  const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
  const owner = await h.personOn("enterprise");
  const client = new pg.Client(h.address);
  await client.connect();
  afterAll(() => client.end());
  const { db } = h.app;
  // The triggers of the stream and the analytics are irrelevant here and would take half of the time.
  await sql`alter table alert_events disable trigger user`.execute(db);
  await sql`alter table contracts disable trigger user`.execute(db);
  const channel = await owner.client.post("/channels", {
    type: "webhook",
    name: "Simulated",
    config: { url: "https://hooks.example.com/simulated" },
  });
  if (channel.status !== 200) throw new Error(channel.text);
  return { h, owner, client, channel_id: (channel.body as { id: string }).id };
}

/** Removes dead rows, which the server of the tests does not do automatically: they would slow down each world more. */
export async function vacuumLane({ h: { app } }: Lane): Promise<void> {
  await sql`vacuum analyze`.execute(app.db);
}

/** Deletes what the world before left behind. */
export async function clearLane({ h: { app }, owner }: Lane): Promise<void> {
  for (const table of [
    "chain_cursors",
    "chain_blocks",
    "chain_leases",
    "samples",
    "delivery_notices",
  ] as const)
    await app.db.deleteFrom(table).execute();
  for (const table of ["deliveries", "alert_notices", "alert_events", "contracts"] as const)
    await app.db.deleteFrom(table).where("org_id", "=", owner.org_id).execute();
}
