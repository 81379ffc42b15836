import { afterEach, describe, expect, it } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeHeadWatcher } from "../../src/chains/evm/heads/head-watcher.ts";
import { makePolling } from "../../src/chains/evm/heads/polling.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { BlockRef } from "../../src/chains/reader.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { makeNode } from "../simchain/node.ts";
import { Tree } from "../simchain/tree.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A head watcher on a clock that records the requested sleeps and runs a hundred times faster. */
async function start({ withSocket, blockTimeMs = 12_000 }: { withSocket: boolean; blockTimeMs?: number }) {
  const tree = new Tree(3);
  tree.grow(5);
  const node = await makeNode(tree);
  const sleeps: number[] = [];
  const began = Date.now();
  const clock: Clock = {
    now: () => new Date(began + (Date.now() - began) * 100),
    sleep(ms, signal) {
      sleeps.push(ms);
      return systemClock.sleep(ms / 100, signal);
    },
  };
  const chain = { ...(chainOf("ethereum") as Chain), block_time_ms: blockTimeMs };
  const polling = makePolling({ chain });
  const socketUrls = withSocket ? [node.socketUrl] : [];
  const subscriptions: string[] = [];
  const onSubscribe = (url: string) => subscriptions.push(url);
  const heads = makeHeadWatcher({
    ...{ socketUrls, blockTimeMs, alwaysProducesBlocks: true, clock, polling, onSubscribe },
  });
  closing.push(node.close, heads.close);
  const seen = (): BlockRef => ({ height: tree.tip.height, hash: tree.tip.hash, parent_hash: "", time: 0 });
  return { tree, node, heads, sleeps, seen, subscriptions };
}

const never = new AbortController().signal;

async function until(condition: () => boolean): Promise<void> {
  for (let at = 0; at < 400 && !condition(); at++) await systemClock.sleep(5);
  expect(condition()).toBe(true);
}

describe("a head watcher without a websocket", () => {
  it("waits a block time for the next block, asks more often when it is late, and returns at once when aborted", async () => {
    const { heads, sleeps, seen } = await start({ withSocket: false });
    await heads.wait(seen(), never);
    await heads.wait(seen(), never);
    expect(sleeps).toEqual([12_000, 3_000]);
    const stop = new AbortController();
    const waiting = heads.wait(seen(), stop.signal);
    stop.abort();
    await waiting;
  });
});

describe("a head watcher with a websocket", () => {
  it("wakes once for an announced head", async () => {
    const { tree, node, heads, sleeps, seen } = await start({ withSocket: true });
    await until(() => node.sockets.count() === 1);
    const before = seen();
    const waiting = heads.wait(before, never);
    tree.grow();
    node.sockets.announce(tree.tip);
    await waiting;
    // The endpoints do not return it yet: poll again soon, but not in a loop.
    sleeps.length = 0;
    await heads.wait(before, never);
    expect(sleeps[0]).toBe(5000);
    // They return it now, so the watcher waits for the next one.
    await heads.wait(seen(), never);
    expect(sleeps[1]).toBe(15_000);
  });

  it("polls when the socket closes, says so until it has reconnected, and counts each subscription", async () => {
    const { tree, node, heads, sleeps, seen, subscriptions } = await start({ withSocket: true });
    await until(() => node.sockets.count() === 1);
    node.sockets.announce(tree.tip);
    await systemClock.sleep(20);
    const resting = heads.wait(seen(), never);
    node.sockets.closeAll();
    await resting;
    expect(heads.problems()).toEqual([
      "Websocket 1 of 1 is closed or cannot be reached, so new blocks are found by polling only.",
    ]);
    sleeps.length = 0;
    await heads.wait(seen(), never);
    expect(sleeps).toContain(3_000);
    await until(() => node.sockets.count() === 1);
    node.sockets.announce(tree.tip);
    await until(() => heads.problems().length === 0);
    expect(subscriptions).toEqual([node.socketUrl, node.socketUrl]);
  });

  it("replaces a silent socket", async () => {
    const { tree, node, heads } = await start({ withSocket: true, blockTimeMs: 2000 });
    await until(() => node.sockets.count() === 1);
    node.sockets.announce(tree.tip);
    let opened = 0;
    for (let at = 0; at < 2; at++) {
      // Twenty seconds of silence on its clock, and the pause before reconnecting.
      await until(() => node.sockets.count() === 0);
      expect(heads.problems()).toEqual([
        "Websocket 1 of 1 announces no new blocks, so new blocks are found by polling only.",
      ]);
      await until(() => node.sockets.count() === 1);
      opened += 1;
    }
    expect(opened).toBe(2);
  });
});
