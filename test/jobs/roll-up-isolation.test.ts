import { sql } from "kysely";
import { expect, test } from "vitest";
import { rollUpSamples } from "../../src/jobs/roll-up-samples.ts";
import { ensurePartition } from "../../src/store/engine/partitions.ts";
import { openStore } from "../../src/store/open-store.ts";
import { harness } from "../support/harness.ts";

const h = await harness({ hasDeadlines: true });
const maxStatementMs = 800;
const hour = Math.floor(h.clock.now().getTime() / 3_600_000) * 3_600;

async function makeSeries(name: string): Promise<string> {
  const { org_id } = await h.person(name);
  const series_id = crypto.randomUUID();
  await sql`
    insert into samples (series_id, org_id, chain, height, at, position, value)
    select ${series_id}, ${org_id}, 'ethereum', n, to_timestamp(${hour}::int + n * 60), 0, 1 from generate_series(0, 9) n`.execute(
    h.app.db,
  );
  await sql`insert into samples_touched values (to_timestamp(${hour}::int))`.execute(h.app.db);
  return series_id;
}

async function countsOf(series_id: string) {
  const { rows } = await sql<{ minutes: string; inHour: string | null }>`
    select (select sum(count) from samples_minute where series_id = ${series_id}) as minutes,
      (select sum(count) from samples_hour where series_id = ${series_id}) as "inHour"`.execute(h.app.db);
  return rows[0];
}

test("samples of one org that cannot be rolled up in time delay no other org, and lose one minute until they can", async () => {
  await ensurePartition(h.app.db, "samples", hour);
  const [slow, quick] = [await makeSeries("slow"), await makeSeries("quick")];
  await rollUpSamples(h.app, maxStatementMs);
  await sql`update samples set value = 2`.execute(h.app.db);
  await sql`delete from samples_minute where series_id = ${quick}`.execute(h.app.db);
  await sql`insert into samples_touched values (to_timestamp(${hour}::int))`.execute(h.app.db);
  const other = openStore(h.address, h.app.log, { max: 1, isPatient: true });
  await other.db.transaction().execute(async (tx) => {
    // Stands for a minute of more samples than a statement can add up.
    await sql`
      select from samples_minute where series_id = ${slow} and at = to_timestamp(${hour}::int) for update`.execute(
      tx,
    );
    await rollUpSamples(h.app, maxStatementMs);
    expect(await countsOf(quick)).toEqual({ minutes: "10", inHour: "10" });
    const { rows } = await sql<{ sum: number }>`
      select sum(sum) as sum from samples_minute where series_id = ${slow}`.execute(h.app.db);
    expect(rows[0]?.sum).toBe(19);
  });
  await other.close();
  await rollUpSamples(h.app, maxStatementMs);
  const { rows } = await sql<{ sum: number }>`
    select sum from samples_hour where series_id = ${slow}`.execute(h.app.db);
  expect(rows[0]?.sum).toBe(20);
});
