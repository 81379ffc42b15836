import { randomUUID } from "node:crypto";
import { getActivity } from "../src/domain/analytics/activity.ts";
import type { KeyCaller } from "../src/domain/caller.ts";
import { countAlerts } from "../src/jobs/count-alerts.ts";
import { ActivityQuery } from "../src/wire/analytics/analytics.ts";
import { onFreshDatabase } from "./engine-world.ts";
import { insertEvents, measure } from "./history.ts";

/** Thirty days of activity by hour over a million alerts, with uncounted newest hours. */
export async function benchActivity(): Promise<void> {
  const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
  const days = 30;
  await onFreshDatabase(async (app, patient) => {
    const org_id = randomUUID();
    await insertEvents(patient, org_id, events, (days * 86_400) / events);
    const uncounted = await run();
    while ((await countAlerts.run({ ...app, db: patient })).hasMore);
    const counted = await run();
    console.log(`${events} alerts over ${days} days, by the hour, with a page of 25`);
    console.log(`before the hours are summed up: p50 ${uncounted.p50} ms, p95 ${uncounted.p95} ms`);
    console.log(`afterwards: p50 ${counted.p50} ms, p95 ${counted.p95} ms`);

    async function run() {
      const from = new Date(Date.now() - days * 86_400_000).toISOString();
      const query = ActivityQuery.parse({ from, bucket: "hour" });
      const context = { request_id: null, ip: null };
      const caller: KeyCaller = {
        ...{
          kind: "api_key",
          key_id: org_id,
          name: "",
          user_id: null,
          org_id,
          tier: "enterprise",
          role: "member",
        },
        ...{ scope: "read_only", contract_scope: null, chain_scope: null, context },
      };
      return measure(() => getActivity({ ...app, db: patient }, caller, query), 60);
    }
  });
}
