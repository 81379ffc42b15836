import { sql } from "kysely";
import { expect, test } from "vitest";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { harness } from "../../support/harness.ts";
import { longTest } from "../../support/run-size.ts";
import { addContractWithRule } from "../contracts/contract-steps.ts";

const h = await harness();

test("no_data alerts are raised once for each of 2,500 targets without data", async () => {
  const owner = await h.person();
  const { contract } = await addContractWithRule(owner);
  await sql`
    insert into targets (id, org_id, contract_id, target_type, name, is_singleton, created_at, updated_at)
    select gen_random_uuid(), ${owner.org_id}, ${contract.id}, 'native_balance', 'Balance', false, t, t
    from generate_series(1, 2500), (select now() - interval '1 day' as t) long_ago`.execute(h.app.db);
  await raiseSystemAlerts(h.app);
  await raiseSystemAlerts(h.app);
  const { rows } = await sql<{ events: string; notices: string }>`
    select count(*) as events, count(n.id) as notices
    from alert_events e left join alert_notices n on n.event_id = e.id
    where e.org_id = ${owner.org_id} and e.kind = 'no_data' and e.status = 'firing'`.execute(h.app.db);
  expect(rows).toEqual([{ events: "2500", notices: "2500" }]);
});

longTest("very many targets of one org without data leave out no target of another org", async () => {
  const [many, one] = [await h.person("many"), await h.person("one")];
  for (const [person, total, prefix] of [
    [many, 10_000, "0"],
    [one, 1, "f"],
  ] as const) {
    const { contract } = await addContractWithRule(person);
    await sql`
      insert into targets (id, org_id, contract_id, target_type, name, is_singleton, created_at, updated_at)
      select (${prefix} || substr(gen_random_uuid()::text, 2))::uuid, ${person.org_id}, ${contract.id}, 'native_balance',
        'Balance', false, t, t
      from generate_series(1, ${total}::int), (select now() - interval '1 day' as t) long_ago`.execute(
      h.app.db,
    );
  }
  await raiseSystemAlerts(h.app);
  const alerts = (await one.client.get("/alerts/history")).body as { kind: string }[];
  expect(alerts).toMatchObject([{ kind: "no_data" }]);
});

test("a search for one kind of problems that fails delays no alert about another kind", async () => {
  const owner = await h.person();
  const { contract } = await addContractWithRule(owner);
  await sql`update contracts set status_code = 'no_code' where id = ${contract.id}`.execute(h.app.db);
  await sql`alter table suspended_contracts rename to suspended_elsewhere`.execute(h.app.db);
  await expect(raiseSystemAlerts(h.app)).rejects.toThrow("unfollowed");
  await sql`alter table suspended_elsewhere rename to suspended_contracts`.execute(h.app.db);
  expect((await owner.client.get("/alerts/history")).body).toMatchObject([
    { title: expect.stringMatching(/^The code of .* has gone$/) },
  ]);
});
