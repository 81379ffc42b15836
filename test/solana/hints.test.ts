import { expect, test } from "vitest";
import { CallCounter } from "../../src/chains/rpc/call-counter.ts";
import { makeSolanaReader } from "../../src/chains/solana/reader.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { listHinted } from "../../src/store/engine/helius-inbox.ts";
import { memo, memoProgram, transferSol } from "./cluster/programs.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster, h, nodes } = world;
const [node] = nodes;
if (!node) throw new Error("there is no node");

/** A clock whose long sleeps end only when aborted. The reader waits a little between two polls in any case. */
const abortOnlyClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((done) => {
      if (ms < 5_000) setTimeout(done, ms);
      if (signal?.aborted) done();
      signal?.addEventListener("abort", () => done());
    }),
};
const quiet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const never = new AbortController().signal;

test("log subscriptions follow the monitored addresses and wake the reader", async () => {
  const called: string[] = [];
  const counter = new CallCounter(abortOnlyClock, { onCall: (_host, method) => called.push(method) });
  const reader = makeSolanaReader({ urls: [node.url, node.socketUrl], clock: abortOnlyClock, counter });
  reader.watch?.(new Set([memoProgram]));
  await expect.poll(() => node.sockets.subscribed()).toEqual([memoProgram]);
  // Providers count them like other calls.
  expect(called).toEqual(["logsSubscribe", "getHealth"]);
  const head = await reader.head();
  const waiting = reader.waitForHead(head, never);
  node.sockets.announce("anything");
  await waiting;
  reader.watch?.(new Set([memoProgram, cluster.payer.address]));
  await expect.poll(() => node.sockets.subscribed()).toEqual([memoProgram, cluster.payer.address]);
  await reader.close();
});

test("an announced transaction wakes the reader and is completed when the chain has it", async () => {
  const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.rule(target.id);
  await world.runUntilIdle();
  const onHint = (wake: () => void) => h.app.bus.subscribe("solana.hint", wake);
  const reader = makeSolanaReader({ urls: [node.url], clock: abortOnlyClock, onHint });
  const ran = await cluster.run([memo("announced")]);
  const waiting = reader.waitForHead(await reader.head(), never);
  // The announcement of the provider, with most fields missing.
  await h
    .anonymous()
    .post("/webhooks/helius", [{ signature: ran.signature, type: "UNKNOWN", nativeTransfers: null }]);
  await waiting;
  await reader.close();
  expect(await listHinted(h.app.db, 10)).toMatchObject([{ signature: ran.signature }]);
  // The announcement alone raises no alert, because the transaction is not on the chain yet.
  cluster.produce();
  await world.runUntilIdle();
  expect(await world.events()).toEqual([]);
  cluster.produce([ran]);
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([{ tx_hash: ran.signature }]);
  expect(await listHinted(h.app.db, 10)).toEqual([]);
});

test("an announcement has only its address and those without a subscription listed, and what it missed is found later", async () => {
  const other = cluster.payer.address;
  const reader = makeSolanaReader({ urls: [node.url, node.socketUrl], clock: abortOnlyClock, pollMs: 8_000 });
  const listings = () => node.calls.filter((method) => method === "getSignaturesForAddress").length;
  /** The blocks that were read, newest first. */
  const refs = [await reader.head()];
  const newest = () => refs[0] as (typeof refs)[number];
  /** Polls once, from the block that the last poll reached. Returns the number of listings. */
  const poll = async () => {
    cluster.produce();
    const head = await reader.head();
    const before = listings();
    await reader.findFork?.(refs, head);
    const blocks = await reader.blocks(newest().height + 1, head.height, { receipts: false });
    refs.unshift(...blocks.toReversed());
    return listings() - before;
  };
  reader.watch?.(new Set([memoProgram, other]));
  await expect.poll(() => node.sockets.subscribed()).toEqual([memoProgram, other]);
  expect(await poll()).toBe(2);
  const waiting = reader.waitForHead(newest(), never);
  node.sockets.announce("anything", memoProgram);
  await waiting;
  expect(await poll()).toBe(1);
  // The other address was not announced.
  cluster.produce([await cluster.run([transferSol(cluster.payer, quiet, 1_000_000n)])]);
  expect(await poll()).toBe(1);
  expect(await poll()).toBe(1);
  // Nothing is announced any more, so that all addresses are listed.
  cluster.produce();
  const fork = await reader.findFork?.(refs, await reader.head());
  expect(fork).toMatchObject({ isLate: true });
  await reader.close();
});
