import { afterEach, expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { type Call, type Manners, rpcError } from "../../zoo/proxy.ts";
import { type EventWorld, fast, local, startEventWorld } from "../event-world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: Parameters<typeof startEventWorld>[1] = {}): Promise<EventWorld> {
  const world = await startEventWorld(h, options);
  closing.push(world.close);
  return world;
}

test.each([
  ["every header is read", local],
  ["some headers are read", fast],
])("where only events and %s, an alert names the sender of its transaction", async (_, chain) => {
  const world = await start({ chain });
  for (const blocks of [1, 1, 1, 5, 1, 1, 1]) {
    world.tree.grow(blocks);
    await world.reachHead();
  }
  expect(world.transfers().length).toBeGreaterThan(3);
  expect(await world.senders()).toEqual(world.transfers());
  const [event] = await world.events();
  const senders = new Map<string, string>(world.transfers());
  expect(event?.message).toContain(` by ${senders.get(event?.tx_hash ?? "")}`);
});

const countSenderCalls = ({ provider }: EventWorld) =>
  provider.calls.filter((method) => method === "eth_getTransactionByHash").length;

test("no transaction is fetched for events that do not fire a rule", async () => {
  const world = await start({ threshold: 2 });
  for (let block = 0; block < 4; block++) {
    world.tree.grow(1);
    await world.reachHead();
  }
  expect(world.transfers().length).toBeGreaterThan(1);
  expect(await world.events()).toEqual([]);
  expect(countSenderCalls(world)).toBe(0);
});

test("the senders of a block with many alerts are fetched in one call", async () => {
  const world = await start({ transactions: 200, seed: 6 });
  world.tree.grow(1);
  await world.reachHead();
  expect(new Set(world.transfers().map(([hash]) => hash)).size).toBeGreaterThan(4);
  expect(await world.senders()).toEqual(world.transfers());
  expect(countSenderCalls(world)).toBe(0);
});

/** A transaction, or a block with its transactions. */
const asksForSender = ({ method, params }: Call) =>
  method === "eth_getTransactionByHash" || (method === "eth_getBlockByNumber" && params[1] === true);

test.each<[string, Manners]>([
  [
    "refuses",
    {
      call: (call, forward) => (asksForSender(call) ? rpcError(-32601, "method not found") : forward(call)),
    },
  ],
  [
    "never answers",
    {
      request: (calls) => (calls.some(asksForSender) ? "hang" : undefined),
    },
  ],
  [
    "does not know",
    {
      call: (call, forward) => (asksForSender(call) ? { result: null } : forward(call)),
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
