import { afterEach, expect, test } from "vitest";
import { contracts, makeTransaction, type SimLog, topics } from "../../simchain/contents.ts";
import { harness } from "../../support/harness.ts";
import type { Manners } from "../../zoo/proxy.ts";
import { type EventWorld, fast, local, startEventWorld } from "../event-world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const [address = ""] = contracts;
const word = `0x${"0".repeat(63)}1` as const;
const transfer: SimLog = { address, topics: [topics.transfer, word, word], data: word };

/** Mines a block with transactions that make one transfer each. Returns their hashes. */
function mineTransfers(world: EventWorld, count: number): string[] {
  return mine(world, Array<SimLog>(count).fill(transfer));
}

/** Mines a block with a transaction for each log. Returns their hashes. */
function mine({ tree }: EventWorld, logs: SimLog[]): string[] {
  const include = logs.map((log) => ({
    ...makeTransaction(tree.random),
    ...{ is_success: true, to: log.address, logs: [log] },
  }));
  tree.setTip(tree.extend(tree.tip, { include, seconds: 12 }));
  return include.map(({ hash }) => hash);
}

/** The node has not indexed the logs of a transaction yet. */
const withoutLogsOf = (hash: string | undefined): Manners => ({
  async call(call, forward) {
    const reply = await forward(call);
    if (call.method !== "eth_getLogs" || !("result" in reply) || !Array.isArray(reply.result)) return reply;
    return { result: reply.result.filter(({ transactionHash }) => transactionHash !== hash) };
  },
});

const hashesOf = async (world: EventWorld) => (await world.events()).map(({ tx_hash }) => tx_hash).sort();

test.each([
  // The bloom filter shows that logs of a block are missing, unless others of the same event are there.
  ["one of two logs of a block", local, 2],
  ["the only log of a block whose header is not read", fast, 1],
])("%s that a node indexed late becomes an alert with the next block", async (_, chain, count) => {
  const world = await startEventWorld(h, { chain, transactions: 0 });
  closing.push(world.close);
  const [late, ...others] = mineTransfers(world, count);
  world.tree.grow(1);
  world.provider.setManners(withoutLogsOf(late));
  await world.reachHead();
  expect(await hashesOf(world)).toEqual(others);
  world.tree.grow(1);
  await world.reachHead();
  expect(await hashesOf(world)).toEqual(others);
  world.provider.setManners({});
  world.tree.grow(1);
  await world.reachHead();
  expect(await hashesOf(world)).toEqual([late, ...others].sort());
  expect((await world.events()).map(({ status }) => status)).not.toContain("retracted");
});

/** Watches transactions of another contract, so that whole blocks are read. */
async function watchTransactions({ client }: EventWorld): Promise<() => Promise<unknown>> {
  const selected_targets = [{ target_type: "tx_rate" }];
  const created = await client.post("/contracts", {
    chain: "local",
    address: contracts[1],
    selected_targets,
  });
  const { id } = created.body as { id: string };
  return () => client.delete(`/contracts/${id}`);
}

test.each([
  ["whole blocks are read from the next one on", ["whole blocks"]],
  ["whole blocks are read by another engine", ["another engine", "whole blocks"]],
  ["another engine watches more", ["more events", "another engine"]],
  ["whole blocks were read meanwhile", ["whole blocks", "a block", "events", "another engine"]],
])("a log that a node left out becomes an alert if %s", async (_, changes) => {
  const world = await startEventWorld(h, { transactions: 0 });
  closing.push(world.close);
  const [, late] = mineTransfers(world, 2);
  world.tree.grow(1);
  world.provider.setManners(withoutLogsOf(late));
  await world.reachHead();
  expect(await hashesOf(world)).toHaveLength(1);
  let reads: "logs" | "blocks" = "logs";
  let undo = async (): Promise<unknown> => undefined;
  for (const change of changes) {
    if (change === "whole blocks") undo = await watchTransactions(world);
    if (change === "whole blocks") reads = "blocks";
    if (change === "events") await undo();
    if (change === "events") reads = "logs";
    if (change === "another engine") await world.restart();
    if (change === "more events") await watchEvents(world);
    if (change !== "a block") continue;
    world.tree.grow(1);
    await world.reachHead(reads);
  }
  world.provider.setManners({});
  world.tree.grow(1);
  await world.reachHead(reads);
  expect(await hashesOf(world)).toHaveLength(2);
  expect((await world.events()).map(({ status }) => status)).not.toContain("retracted");
  await undo();
});

/** Watches the events of another contract. */
async function watchEvents({ client }: EventWorld): Promise<void> {
  const config = { event_signature: "Noted(bytes32)" };
  const selected_targets = [{ target_type: "event_frequency", config }];
  const created = await client.post("/contracts", {
    chain: "local",
    address: contracts[1],
    selected_targets,
  });
  const { id } = created.body as { id: string };
  closing.unshift(async () => client.delete(`/contracts/${id}`));
}

test("a log that a node left out while the engine caught up becomes an alert", async () => {
  const world = await startEventWorld(h, { transactions: 0 });
  closing.push(world.close);
  const [, late] = mineTransfers(world, 2);
  world.tree.grow(60);
  world.provider.setManners(withoutLogsOf(late));
  await world.reachHead();
  expect(await hashesOf(world)).toHaveLength(1);
  world.provider.setManners({});
  world.tree.grow(1);
  await world.reachHead();
  expect(await hashesOf(world)).toHaveLength(2);
});

test("a log that a node left out becomes an alert after a restart, although code was discovered with its block", async () => {
  const world = await startEventWorld(h, { transactions: 0 });
  closing.push(world.close);
  mine(world, [
    { address: contracts[1] ?? "", topics: [topics.upgraded, `0x${"0".repeat(60)}cafe`], data: "0x" },
  ]);
  await world.reachHead();
  // The events of its beacon are watched as soon as its code is known.
  await watchEvents(world);
  const [, late] = mineTransfers(world, 2);
  world.tree.grow(1);
  world.provider.setManners(withoutLogsOf(late));
  await world.reachHead();
  expect(await hashesOf(world)).toHaveLength(1);
  await world.restart();
  world.provider.setManners({});
  world.tree.grow(1);
  await world.reachHead();
  expect(await hashesOf(world)).toHaveLength(2);
});
