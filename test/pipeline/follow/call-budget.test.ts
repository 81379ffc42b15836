import { afterEach, expect, test } from "vitest";
import { composeApp } from "../../../src/app.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { makePolling } from "../../../src/chains/evm/heads/polling.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { makeCallBudget } from "../../../src/chains/rpc/call-budget.ts";
import { CallCounter, dayOf } from "../../../src/chains/rpc/call-counter.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import { recordCalls, writeAllCalls } from "../../../src/pipeline/follow/record-calls.ts";
import { countRpcCalls } from "../../../src/store/engine/rpc-calls.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import { makeNode } from "../../simchain/node.ts";
import { Tree } from "../../simchain/tree.ts";
import { watchSimulated } from "../../simchain/watch.ts";
import { harness } from "../../support/harness.ts";
import { makeDice } from "../dice.ts";

const budget = 50_000;
const h = await harness({ env: { RPC_ETHEREUM: "http://127.0.0.1:1", RPC_BUDGET_ETHEREUM: `${budget}` } });
const ethereum = chainOf("ethereum") as Chain;
const owner = await h.personOn("enterprise");
await watchSimulated(owner.client, makeDice(1), { chain: "ethereum", count: 1 });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A clock that moves only during sleeps. */
class SleepingClock implements Clock {
  private at = Date.parse("2026-03-01T00:00:00Z");
  now = () => new Date(this.at);
  sleep = async (ms: number, signal?: AbortSignal) => {
    if (signal?.aborted) return;
    this.at += ms;
  };
  advanceTo(text: string): void {
    this.at = Date.parse(text);
  }
}

async function start(clock: SleepingClock) {
  const tree = new Tree(4, { transactions: 1 });
  tree.grow(3);
  const node = await makeNode(tree, { chainId: 1 });
  const counter = new CallCounter(clock);
  const limit = makeCallBudget(budget, counter, clock);
  const reader = makeEvmReader({ chain: ethereum, urls: [node.url], clock, counter, budget: limit });
  const follower = new Follower(h.app, ethereum, reader);
  closing.push(node.close, reader.close, () => follower.stop());
  /** Follows one new block and returns how long the engine then waits. */
  const poll = async () => {
    tree.setTip(tree.extend(tree.tip, { seconds: 12 }));
    await follower.step();
    await follower.step();
    const before = clock.now().getTime();
    await reader.waitForHead(
      { ...(follower.cursor ?? { height: 0, hash: "", time: 0 }), parent_hash: "" },
      new AbortController().signal,
    );
    return (clock.now().getTime() - before) / 1000;
  };
  /** Follows the chain as the engine does until a time, with a block every 12 seconds. */
  const followUntil = async (text: string) => {
    while (clock.now().getTime() < Date.parse(text)) {
      const before = clock.now().getTime();
      while ((await follower.step()) !== "idle" && !follower.isAtHead);
      await follower.waitForWork(new AbortController().signal);
      const count = Math.round((clock.now().getTime() - before) / 12_000);
      if (count > 0) tree.setTip(tree.extend(tree.tip, { count, seconds: 12 }));
    }
  };
  return { counter, poll, followUntil, follower, tree };
}

const status = async () => {
  const chains = (await owner.client.get("/chains")).body as ChainInfo[];
  return chains.find(({ chain }) => chain === "ethereum") as ChainInfo;
};

/** Spends calls without making them. */
function spend(counter: CallCounter, calls: number): void {
  for (let call = 0; call < calls; call++) counter.count({ endpoint: 1, host: "node" }, "eth_getLogs");
}

test("polling slows down before the budget of a day is used up, the status says so, and the next day it is normal", async () => {
  const clock = new SleepingClock();
  const { counter, poll } = await start(clock);
  clock.advanceTo("2026-03-01T22:00:00Z");
  expect(await poll()).toBe(12);
  expect(await status()).toMatchObject({ status_reason: null, reading: { is_slowed: false } });
  // Two hours are left, and so few calls that one poll a minute would already be too much.
  spend(counter, budget - counter.today() - 60);
  const slow = await poll();
  expect(slow).toBeGreaterThan(60);
  await poll();
  expect(await status()).toMatchObject({
    status_reason: expect.stringMatching(
      /^The chain is polled every \d+ seconds instead of every 12, to stay within the budget of 50000 calls a day\.$/,
    ),
    reading: { is_slowed: true, calls_per_day_budget: budget, poll_seconds: expect.toSatisfy((s) => s > 60) },
  });
  expect(counter.today()).toBeLessThan(budget);
  clock.advanceTo("2026-03-02T00:00:01Z");
  await poll();
  expect(await poll()).toBe(12);
  expect(await status()).toMatchObject({ status_reason: null, reading: { is_slowed: false } });
});

test("a day of polling stays within the budget", async () => {
  const clock = new SleepingClock();
  const { counter, poll } = await start(clock);
  clock.advanceTo("2026-03-03T21:00:00Z");
  spend(counter, budget - 300);
  while (clock.now().getTime() < Date.parse("2026-03-03T23:40:00Z")) await poll();
  expect(counter.today()).toBeLessThanOrEqual(budget);
  expect(counter.today()).toBeGreaterThan(budget - 150);
});

test("catching up, which costs many calls at once, does not slow the polls afterwards", async () => {
  const clock = new SleepingClock();
  clock.advanceTo("2026-03-04T12:00:00Z");
  const counter = new CallCounter(clock);
  const limit = makeCallBudget(100_000, counter, clock);
  for (let polls = 0; polls < 5; polls++) {
    spend(counter, 3);
    limit.waitMs();
  }
  spend(counter, 2_000);
  expect(limit.waitMs()).toBeLessThan(12_000);
});

test("calls before a restart count against the budget of the day", async () => {
  const clock = new SleepingClock();
  clock.advanceTo("2026-03-05T12:00:00Z");
  const app = { ...h.app, clock };
  const first = new CallCounter(clock);
  spend(first, 49_990);
  const stopped = AbortSignal.abort();
  await recordCalls(app, ethereum, first, stopped);
  expect(await countRpcCalls(h.app.db, "ethereum", dayOf(clock.now()))).toBe(49_990);
  const second = new CallCounter(clock);
  await recordCalls(app, ethereum, second, stopped);
  expect(second.today()).toBe(49_990);
  const waitMs = makeCallBudget(budget, second, clock).waitMs();
  expect(waitMs).toBeGreaterThan(60_000);
  expect(makeCallBudget(budget, new CallCounter(clock), clock).waitMs()).toBeLessThan(60_000);
});

test("whole blocks are not read once the calls of a day are used up, the status says so, and the next day reads them all", async () => {
  const function_signature = "transfer(address to, uint256 amount)";
  const selected_targets = [{ target_type: "function_call_rate", config: { function_signature } }];
  const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  await owner.client.post("/contracts", { chain: "ethereum", address, label: "Token", selected_targets });
  const clock = new SleepingClock();
  const { counter, followUntil, follower, tree } = await start(clock);
  clock.advanceTo("2026-03-06T23:40:00Z");
  spend(counter, budget - 80);
  await followUntil("2026-03-06T23:58:00Z");
  expect(counter.today()).toBeLessThanOrEqual(budget);
  expect(follower.cursor?.height).toBeLessThan(tree.tip.height - 20);
  expect(await status()).toMatchObject({
    status_reason: `The budget of ${budget} calls a day is used up. Blocks are read again, from the first that was not read, after midnight (UTC).`,
    reading: { is_slowed: true },
  });
  clock.advanceTo("2026-03-07T00:00:01Z");
  await followUntil("2026-03-07T00:01:00Z");
  expect(follower.cursor?.height).toBeGreaterThan(tree.tip.height - 5);
  expect((await status()).status_reason ?? "").not.toContain("used up");
});

test("a budget that is too small for what is watched is named at once", () => {
  const clock = new SleepingClock();
  const limit = makeCallBudget(5_000, new CallCounter(clock), clock);
  const polling = makePolling({ chain: ethereum, budget: limit });
  expect(polling.warning()).toMatch(
    /^What is watched costs about \d+ calls a day .* more than the budget of 5000:/,
  );
  expect(
    makePolling({ chain: ethereum, budget: makeCallBudget(50_000, new CallCounter(clock), clock) }).warning(),
  ).toBeUndefined();
});

test("calls for requests are counted with those of the engine", async () => {
  const tree = new Tree(5, { transactions: 1 });
  tree.grow(3);
  const node = await makeNode(tree, { chainId: 1 });
  const clock = new SleepingClock();
  clock.advanceTo("2026-03-08T12:00:00Z");
  const { calls: _, chains: __, ...ports } = h.app;
  const config = { ...h.app.config, rpc: new Map([["ethereum", [node.url]]]) };
  const app = composeApp({ ...ports, clock, config });
  const { calls, chains } = app;
  closing.push(node.close, chains.close);
  await chains.clientFor(ethereum).pinLatestBlock();
  const counted = calls.of("ethereum").today();
  expect(counted).toBeGreaterThan(0);
  await writeAllCalls(app);
  expect(await countRpcCalls(h.app.db, "ethereum", dayOf(clock.now()))).toBe(counted);
  const engine = new CallCounter(clock);
  await recordCalls(app, ethereum, engine, AbortSignal.abort());
  expect(engine.today()).toBe(counted);
});
