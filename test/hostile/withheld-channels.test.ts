import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { raiseSystemAlerts } from "../../src/domain/alerts/system-alerts.ts";
import { makeLog } from "../../src/lib/log/log.ts";
import { openStore } from "../../src/store/open-store.ts";
import { addContractWithRule } from "../api/contracts/contract-steps.ts";
import { harness, type Person } from "../support/harness.ts";

/** With the time limits of statements that the service has. */
const h = await harness({ hasDeadlines: true });
const [contracts, rulesOfEach, channels] = [20, 250, 1_000];

type Ids = { id: string };

/** Without time limits: a busy machine may need longer for the rows of the test than the service has for a statement. */
const patient = openStore(h.address, makeLog("silent"), { max: 1, isPatient: true });
afterAll(() => patient.close());

/** Copies a row of a table with other ids, and returns those. */
async function copy(table: string, id: string, changes: object[]): Promise<string[]> {
  const { rows } = await sql<Ids>`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(t, change || jsonb_build_object('id', gen_random_uuid()))).*
    from ${sql.table(table)} t, jsonb_array_elements(${JSON.stringify(changes)}::jsonb) change
    where t.id = ${id} returning id`.execute(patient.db);
  return rows.map((row) => row.id);
}

/** An org whose many rules name channels that were changed by someone without access to their restricted contracts. */
async function makeCrowd(owner: Person, changed_by: string): Promise<void> {
  const { contract, rule } = await addContractWithRule(owner);
  const body = { type: "webhook", name: "Hook", config: { url: "https://example.com/hook" } };
  const channel = (await owner.client.post("/channels", body)).body as Ids;
  const withheld = { is_changed_by_admin: false, changed_by };
  const channel_ids = await copy("channels", channel.id, Array(channels).fill(withheld));
  const restricted = Array.from({ length: contracts }, (_, n) => ({
    is_restricted: true,
    status: "MONITORING",
    address: `0xf${String(n).padStart(39, "0")}`,
  }));
  const rules = (await copy("contracts", contract.id, restricted)).flatMap((contract_id) =>
    Array.from({ length: rulesOfEach }, () => ({
      contract_id,
      record_only: false,
      channel_ids: channel_ids.slice(0, 2),
    })),
  );
  await copy("alert_rules", rule.id, rules);
}

test("system alerts are raised beside an org with very many rules and channels, whose admins get one mail", async () => {
  const owner = await h.personOn("enterprise", "crowd");
  await makeCrowd(owner, (await h.person()).user.id);
  await raiseSystemAlerts(h.app);
  const alerts = (await owner.client.get("/alerts/history", { query: { limit: "100" } })).body as object[];
  expect(alerts).toHaveLength(2 * contracts);
  await h.runJobs();
  const mails = h.mails.filter(({ subject }) => subject.includes("channel"));
  expect(mails.map(({ subject }) => subject)).toEqual([`${2 * contracts} problems with channels`]);
  expect(mails[0]?.text).toContain(`There are ${2 * contracts - 10} further problems`);
});
