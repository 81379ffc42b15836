import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { contracts, topics } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { pathTo, Tree } from "../simchain/tree.ts";
import { harness } from "../support/harness.ts";
import { type Manners, rpcError, serveProvider } from "../zoo/proxy.ts";
import { transferSignature } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const local = chainOf("local") as Chain;
/** A chain whose headers are read only where blocks have watched events. */
const fast: Chain = { ...local, block_time_ms: 250, alwaysProducesBlocks: true };
const [address = ""] = contracts;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A rule for which every transfer of a token is an event, on a simulated chain behind a provider. */
async function start({
  chain = local,
  manners = {} as Manners,
  seed = 3,
  transactions = 3,
  threshold = 1,
} = {}) {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
    await h.app.db.deleteFrom(table).execute();
  const { client, org_id } = await h.person();
  await h.setTier(org_id, "enterprise");
  const selected_targets = [
    { target_type: "event_frequency", config: { event_signature: transferSignature } },
  ];
  const created = await client.post("/contracts", { chain: "local", address, selected_targets });
  const { id } = created.body as { id: string };
  const [target] = (await client.get(`/contracts/${id}/targets`)).body as { id: string }[];
  const condition = { operator: "gte", threshold, aggregation: "each" };
  await client.post("/alerts", { target_id: target?.id, severity: "info", record_only: true, condition });
  const tree = new Tree(seed, { transactions });
  tree.grow(3);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  const reader = makeEvmReader({ chain, urls: [provider.url], clock: fastClock(20), timeoutMs: 400 });
  const follower = new Follower(h.app, chain, reader);
  closing.push(node.close, provider.close, reader.close, () => client.delete(`/contracts/${id}`));
  await follower.step();
  provider.setManners(manners);
  const startHeight = tree.tip.height;
  /** The expected sender of each transfer, by transaction. */
  const transfers = () =>
    pathTo(tree.tip)
      .filter(({ height }) => height > startHeight)
      .flatMap((block) => block.transactions.flatMap((tx) => tx.logs.map((log) => ({ log, tx }))))
      .filter(({ log }) => log.address === address && log.topics[0] === topics.transfer)
      .map(({ tx }) => [tx.hash, tx.from] as const)
      .sort();
  const events = async () =>
    ((await client.get(`/alerts/history?contract_id=${id}&limit=200`)).body as AlertEvent[]).reverse();
  const senders = async () =>
    (await events())
      .map(
        ({ tx_hash, explanation }) =>
          [tx_hash, (explanation.evidence as { sender: unknown }).sender] as const,
      )
      .sort();
  return { tree, follower, provider, transfers, events, senders };
}

/** Steps until the head is committed; it must be one of a plan of events. */
async function reachHead({ follower, tree }: Awaited<ReturnType<typeof start>>): Promise<void> {
  for (let steps = 0; steps < 8 && follower.cursor?.hash !== tree.tip.hash; steps++) await follower.step();
  expect(follower.cursor?.hash).toBe(tree.tip.hash);
  expect(follower.state?.engine.watchList.plan.reads).toBe("logs");
}

test.each([
  ["every header is read", local],
  ["some headers are read", fast],
])("where only events and %s, an alert names the sender of its transaction", async (_, chain) => {
  const world = await start({ chain });
  for (const blocks of [1, 1, 1, 5, 1, 1, 1]) {
    world.tree.grow(blocks);
    await reachHead(world);
  }
  expect(world.transfers().length).toBeGreaterThan(3);
  expect(await world.senders()).toEqual(world.transfers());
  const [event] = await world.events();
  const senders = new Map<string, string>(world.transfers());
  expect(event?.message).toContain(` by ${senders.get(event?.tx_hash ?? "")}`);
});

const countSenderCalls = ({ provider }: Awaited<ReturnType<typeof start>>) =>
  provider.calls.filter((method) => method === "eth_getTransactionByHash").length;

test("no transaction is fetched for events that do not fire a rule", async () => {
  const world = await start({ threshold: 2 });
  for (let block = 0; block < 4; block++) {
    world.tree.grow(1);
    await reachHead(world);
  }
  expect(world.transfers().length).toBeGreaterThan(1);
  expect(await world.events()).toEqual([]);
  expect(countSenderCalls(world)).toBe(0);
});

test("the senders of a block with many alerts are fetched in one call", async () => {
  const world = await start({ transactions: 200, seed: 6 });
  world.tree.grow(1);
  await reachHead(world);
  expect(new Set(world.transfers().map(([hash]) => hash)).size).toBeGreaterThan(4);
  expect(await world.senders()).toEqual(world.transfers());
  expect(countSenderCalls(world)).toBe(0);
});

test.each<[string, Manners]>([
  [
    "refuses",
    {
      call: (call, forward) =>
        call.method === "eth_getTransactionByHash" ? rpcError(-32601, "method not found") : forward(call),
    },
  ],
  [
    "never answers",
    {
      request: (calls) =>
        calls.some(({ method }) => method === "eth_getTransactionByHash") ? "hang" : undefined,
    },
  ],
  [
    "does not know",
    {
      call: (call, forward) =>
        call.method === "eth_getTransactionByHash" ? { result: null } : forward(call),
    },
  ],
])(
  "a block is committed without senders when the node %s the transactions, and alerts say so",
  async (_, manners) => {
    const world = await start({ manners });
    for (let block = 0; block < 4; block++) {
      world.tree.grow(1);
      await world.follower.step();
      expect(world.follower.cursor?.hash).toBe(world.tree.tip.hash);
    }
    expect(world.transfers().length).toBeGreaterThan(1);
    expect(await world.senders()).toEqual(world.transfers().map(([hash]) => [hash, null]));
  },
);
