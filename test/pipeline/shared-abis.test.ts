import { type KyselyPlugin, sql } from "kysely";
import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { EngineState } from "../../src/pipeline/watch/engine-state.ts";
import { loadEngineState } from "../../src/pipeline/watch/load-state.ts";
import { harness } from "../support/harness.ts";
import { freshWorld } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const local = chainOf("local") as Chain;
const abiWith = (name: string) => [{ type: "event", name, inputs: [] }];

/** A world with contracts of one org that have the same ABI. */
async function worldWith(count: number, abi: object) {
  const world = await freshWorld(h);
  await sql`
    insert into contracts (id, org_id, chain, chain_id, address, label, status, abi, created_at, updated_at)
    select gen_random_uuid(), ${world.owner.org_id}, 'local', 31337, '0x' || lpad(to_hex(n), 40, '0'), 'Copy',
      'MONITORING', ${JSON.stringify(abi)}::jsonb, now(), now()
    from generate_series(1, ${sql.lit(count)}) n`.execute(h.app.db);
  await world.catchUp();
  return world;
}

async function contractsOf({ watchList }: EngineState, org_id: string) {
  const rows = await h.app.db.selectFrom("contracts").select("id").where("org_id", "=", org_id).execute();
  return rows.flatMap(({ id }) => watchList.contract(id) ?? []);
}

/** The database, which reports the ABIs that are read from it and runs `change` after the contracts are listed. */
function observe(change?: () => Promise<unknown>) {
  const abis: unknown[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const { abi } of result.rows) if (abi) abis.push(abi);
      if (result.rows.some((row) => "implementation_abi_hash" in row)) await change?.();
      return result;
    },
  };
  return { abis, app: { ...h.app, db: h.app.db.withPlugin(plugin) } };
}

test("an ABI that many contracts of an org share is read once, also by the engines after the first", async () => {
  const world = await worldWith(30, abiWith("Shared"));
  const { app, abis } = observe();
  const { engine } = await loadEngineState(app, local, world.chain.tip);
  const again = await loadEngineState(app, local, world.chain.tip);
  expect(abis.length).toBeLessThanOrEqual(1);
  for (const loaded of [engine, again.engine]) {
    const found = await contractsOf(loaded, world.owner.org_id);
    expect(found).toHaveLength(30);
    expect(new Set(found.map(({ subject }) => subject.abi)).size).toBe(1);
    expect(found[0]?.subject.abi?.events.size).toBe(1);
  }
});

test("an ABI that is replaced while contracts load is not taken for the former one of others", async () => {
  const world = await worldWith(1, abiWith("Former"));
  const update = (name: string) => sql`
    update contracts set abi = ${JSON.stringify(abiWith(name))}::jsonb where org_id = ${world.owner.org_id}`;
  await update("Other").execute(h.app.db);
  const { app } = observe(() => update("Latter").execute(h.app.db));
  await loadEngineState(app, local, world.chain.tip);
  await update("Other").execute(h.app.db);
  const { engine } = await loadEngineState(h.app, local, world.chain.tip);
  const found = await contractsOf(engine, world.owner.org_id);
  const names = found.flatMap(({ subject }) => [...(subject.abi?.events.values() ?? [])].flat());
  expect(names.map(({ signature }) => signature)).toEqual(["Other()"]);
});
