import { pad } from "viem";
import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import { contracts, makeTransaction, topics } from "../../simchain/contents.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { makeNode } from "../../simchain/node.ts";
import { Tree } from "../../simchain/tree.ts";
import { harness } from "../../support/harness.ts";
import { patientLimits } from "../../support/patient-limits.ts";
import { type Manners, rpcError, serveProvider } from "../../zoo/proxy.ts";
import { transferSignature } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const local = chainOf("local") as Chain;
const [address = "", other = ""] = contracts;
const counter = { target_type: "storage_slot", config: { slot: "0x0" } };
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A contract that counts its logs in slot 0, which is read once an hour after its first reading. */
async function start({ beside = [] as object[], manners = {} as Manners } = {}) {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
    await h.app.db.deleteFrom(table).execute();
  const { client, org_id } = await h.personOn("enterprise");
  await client.patch(`/orgs/${org_id}/settings`, { polling_interval_seconds: 3600 });
  const created = await client.post("/contracts", {
    chain: "local",
    address,
    selected_targets: [counter, ...beside],
  });
  const { id } = created.body as { id: string };
  const targets = (await client.get(`/contracts/${id}/targets`)).body as {
    id: string;
    target_type: string;
  }[];
  const series_id = targets.find(({ target_type }) => target_type === "storage_slot")?.id ?? "";
  const tree = new Tree(1, { transactions: 0 });
  tree.grow(3);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  provider.setManners(manners);
  const reader = makeEvmReader({
    chain: local,
    urls: [provider.url],
    clock: fastClock(20),
    ...patientLimits,
  });
  const follower = new Follower(h.app, local, reader);
  closing.push(node.close, provider.close, reader.close, () => client.delete(`/contracts/${id}`));
  const mine = async (emitter?: string, logs = 1) => {
    const log = { address: emitter ?? "", topics: [topics.noted, pad("0x1")], data: "0x" as const };
    const include = emitter
      ? [{ ...makeTransaction(tree.random), is_success: true, to: emitter, logs: Array(logs).fill(log) }]
      : [];
    tree.setTip(tree.extend(tree.tip, { include, seconds: 12 }));
    for (let steps = 0; steps < 3 && follower.cursor?.hash !== tree.tip.hash; steps++) await follower.step();
    expect(follower.cursor?.hash).toBe(tree.tip.hash);
    return tree.tip.height;
  };
  const samples = async () => {
    const found = h.app.db.selectFrom("samples").select(["height", "value"]);
    const rows = await found.where("series_id", "=", series_id).orderBy("height").execute();
    return rows.map(({ height, value }) => [Number(height), value]);
  };
  await follower.step();
  return { follower, provider, mine, samples };
}

test.each([
  ["reads state only", []],
  ["reads state and some events", [transfers]],
])("with a plan that %s, state is read when its contract emits any event", async (_, beside) => {
  const world = await start({ beside });
  const first = await world.mine();
  await world.mine();
  await world.mine(other);
  const active = await world.mine(address);
  await world.mine();
  expect(world.follower.state?.engine.watchList.plan.reads).toBe(beside.length > 0 ? "logs" : "state");
  expect(await world.samples()).toEqual([
    [first, 0],
    [active, 1],
  ]);
});

test("a contract with very many events is read at every poll, and its events are no longer asked for", async () => {
  const world = await start();
  await world.mine();
  const busy = await world.mine(address, 101);
  world.provider.calls.length = 0;
  const next = await world.mine();
  expect((await world.samples()).slice(1)).toEqual([
    [busy, 101],
    [next, 101],
  ]);
  expect(world.provider.calls).not.toContain("eth_getLogs");
});

test.each<[string, Manners]>([
  [
    "refuses logs",
    {
      call: (call, forward) =>
        call.method === "eth_getLogs" ? rpcError(-32601, "method not found") : forward(call),
    },
  ],
  [
    "never answers requests for logs",
    { request: (calls) => (calls.some(({ method }) => method === "eth_getLogs") ? "hang" : undefined) },
  ],
])("a node that %s delays neither blocks nor state that is due", async (_, manners) => {
  const world = await start({ manners });
  for (let block = 0; block < 3; block++) await world.mine(address);
  await expect
    .poll(async () => {
      await world.mine();
      return world.samples();
    })
    .not.toEqual([]);
});
