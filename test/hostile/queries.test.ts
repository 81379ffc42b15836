import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeDocument } from "../../src/http/openapi/document.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { recordEvent } from "../api/contracts/contract-steps.ts";
import { longTest, runSize } from "../support/run-size.ts";
import { hostileWorld, maxStandstillMs, mebibyte } from "./world.ts";

const { h, ada, about, send } = await hostileWorld();
const counts = { contracts: 2_500, alert_rules: 2_000, channels: 3_000, silences: 3_000, alert_events: 199 };
await fill();
const everyNth = runSize("HOSTILE_QUERIES_EVERY", { short: 6, long: 1 });
const reading = operations
  .filter(({ method, isStream }) => method === "GET" && !isStream)
  .filter((_, index) => index % everyNth === 0);

/** Fills the org with more of everything than one mebibyte holds. */
async function fill(): Promise<void> {
  const slack = {
    type: "slack",
    name: "Ops",
    config: { webhook_url: "https://hooks.slack.com/services/T/B/x" },
  };
  await ada.client.post("/channels", slack);
  await ada.client.post("/silences", {
    contract_id: about.contract.id,
    reason: "r".repeat(200),
    ends_at: new Date(h.clock.now().getTime() + 3_600_000).toISOString(),
  });
  await ada.client.post(`/contracts/${about.contract.id}/labels`, { value: "treasury" });
  const explanation = JSON.stringify({ note: "e".repeat(60_000) });
  await recordEvent(h, ada.org_id, about, { explanation });
  for (const [table, count] of Object.entries(counts)) await copyRows(table, count);
}

/** Adds copies of the org's first row of a table, with ids, names and keys of their own. */
async function copyRows(table: string, count: number): Promise<void> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = ${table}
      and is_generated = 'NEVER' and is_identity = 'NO'`.execute(h.app.db);
  const unique = ["id", "address", "observation"];
  const values = columns.map(({ name }) =>
    name === "id"
      ? sql`gen_random_uuid()`
      : unique.includes(name)
        ? sql`s.${sql.id(name)} || '-' || n`
        : sql`s.${sql.id(name)}`,
  );
  const names = sql.join(columns.map(({ name }) => sql.id(name)));
  await sql`insert into ${sql.table(table)} (${names})
    select ${sql.join(values)} from (select * from ${sql.table(table)} where org_id = ${ada.org_id} limit 1) s,
      generate_series(1, ${count}) n`.execute(h.app.db);
}

/** As long as the headers of a request may be. */
const maxQuery = 15_000;

function* hostileQueries(names: string[]): Generator<string> {
  yield "";
  yield `?${"a&".repeat(maxQuery / 2)}`;
  yield `?${Array.from({ length: maxQuery / 7 }, (_, n) => `a${n}=1`).join("&")}`.slice(0, maxQuery);
  yield `?${"%25".repeat(maxQuery / 3)}`;
  for (const name of names) {
    yield `?${name}=${"9".repeat(maxQuery - 100)}`;
    yield `?${name}=${"%00".repeat(1_000)}`;
    yield `?${`${name}=1&`.repeat(Math.floor(maxQuery / (name.length + 3)))}`;
    yield `?${name}=200`;
  }
}

/** Other processes share the caches of the processor, so that the same work takes longer at times: the least of three counts. */
async function sendLightest(operation: (typeof reading)[number], search: string) {
  let lightest = await send(operation, { search });
  for (let tries = 1; tries < 3 && lightest.cpuMs >= maxStandstillMs; tries++) {
    const again = await send(operation, { search });
    if (again.cpuMs < lightest.cpuMs) lightest = again;
  }
  return lightest;
}

test.each(reading.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s answers the longest queries without blocking the event loop, with at most 1 MiB unless its description says more",
  async (_, operation) => {
    const names = Object.keys(operation.query?.shape ?? {});
    for (const search of hostileQueries(names)) {
      const { status, text, cpuMs } = await sendLightest(operation, search);
      const outcome = `${search.slice(0, 60)}: ${status} ${text.slice(0, 200)}`;
      if (status >= 500 && status !== 503) expect.fail(outcome);
      expect(cpuMs, outcome).toBeLessThan(maxStandstillMs);
      if (!operation.hasLargeReply) expect(text.length, outcome).toBeLessThanOrEqual(mebibyte);
    }
  },
);

longTest.each(["exportConfig", "listContracts"])(
  "the operation %s, requested six times at once, does not block the event loop",
  async (id) => {
    const operation = operations.find((one) => one.id === id) as Operation;
    const longest = async () => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => send(operation, {})));
      const statuses = replies.map(({ status }) => status);
      // On a busy machine, the last ones of an organisation wait in vain.
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return Math.max(...replies.map(({ cpuMs }) => cpuMs));
    };
    // The first time, code is compiled.
    expect(Math.min(await longest(), await longest())).toBeLessThan(maxStandstillMs);
  },
);

test("the OpenAPI document says which responses can exceed 1 MiB", () => {
  const { paths } = makeDocument({ publicUrl: undefined }) as {
    paths: Record<string, Record<string, { operationId: string; description: string }>>;
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const large = operations.filter(({ hasLargeReply }) => hasLargeReply).map(({ id }) => id);
  const said = described.filter(({ description }) => description.endsWith(" The response can exceed 1 MiB."));
  expect(said.map(({ operationId }) => operationId).sort()).toEqual(large.sort());
});
