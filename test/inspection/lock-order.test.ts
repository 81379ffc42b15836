import { sql } from "kysely";
import { expect, test } from "vitest";
import { lockOrg } from "../../src/store/orgs/orgs.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { untilLockWait } from "../api/steps.ts";
import { sourcifyFound } from "./service-stubs.ts";
import { makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, h, watch, owner, sourcify } = world;
const box = await node.deploy("BoxV1");
sourcify.respond = () => sourcifyFound(box.abi, "BoxV1");

const deploy = async () => (await node.deploy("BoxV1")).address;
const rule = {
  name: "Any",
  severity: "info",
  condition: { operator: "gte", threshold: 1, window_seconds: 60, aggregation: "sum" },
};

/** Changes of what the engine watches, each prepared and then started. */
const changes: [string, () => Promise<() => Promise<unknown>>][] = [
  [
    "an ABI that a person replaces",
    async () => {
      const { id } = await watch(await deploy());
      return () => owner.client.patch(`/contracts/${id}`, { abi: box.abi });
    },
  ],
  [
    "an ABI that an inspection finds",
    async () => {
      await watch(await deploy());
      return () => h.runJobs();
    },
  ],
  [
    "a new contract",
    async () => {
      const address = await deploy();
      return () => watch(address, { abi: box.abi });
    },
  ],
  [
    "a new target",
    async () => {
      const { id } = await watch(await deploy());
      return () => owner.client.post(`/contracts/${id}/targets`, { target_type: "tx_rate" });
    },
  ],
  [
    "a new rule",
    async () => {
      const { id } = await watch(await deploy());
      const target = (await owner.client.post(`/contracts/${id}/targets`, { target_type: "tx_rate" }))
        .body as Target;
      return () => owner.client.post("/alerts", { ...rule, target_id: target.id });
    },
  ],
];

test.each(changes)(
  "%s waits for other changes of its organisation before it locks the watch list, on which every organisation of the chain waits",
  async (_, prepare) => {
    const start = await prepare();
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = h.app.db.transaction().execute(async (tx) => {
      await lockOrg(tx, owner.org_id);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const change = start();
    await untilLockWait(h, change);
    const { rows } = await sql<{ locks: number }>`
      select count(*)::int as locks from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`.execute(h.app.db);
    release.resolve();
    await Promise.all([other, change]);
    expect(rows).toEqual([{ locks: 0 }]);
  },
);
