import { sql } from "kysely";
import { expect, test } from "vitest";
import { countAlerts } from "../../src/jobs/count-alerts.ts";
import { recordEvent } from "../api/contracts/contract-steps.ts";
import { harness } from "../support/harness.ts";

const h = await harness();

test("hours of one org that cannot be counted keep no other org from its counts", async () => {
  const [huge, other] = [await h.person("huge"), await h.person("other")];
  for (const { org_id } of [huge, other]) await recordEvent(h, org_id);
  // As a count of too many alerts does when it reaches the time limit of a statement.
  await sql
    .raw(`create function fail() returns trigger language plpgsql as $$ begin raise 'canceled'; end $$;
    create trigger fail before insert on alert_hours for each row when (new.org_id = '${huge.org_id}') execute function fail();`)
    .execute(h.app.db);
  await countAlerts.run(h.app);
  expect(await countedOrgs()).toEqual([other.org_id]);
  await sql`drop trigger fail on alert_hours`.execute(h.app.db);
  await countAlerts.run(h.app);
  expect(await countedOrgs()).toEqual([huge.org_id, other.org_id].sort());
});

async function countedOrgs(): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    select distinct org_id from alert_hours order by org_id`.execute(h.app.db);
  return rows.map(({ org_id }) => org_id);
}
