import { afterEach, expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { makeCallBudget } from "../../../src/chains/rpc/call-budget.ts";
import { CallCounter } from "../../../src/chains/rpc/call-counter.ts";
import { makeSolanaReader } from "../../../src/chains/solana/reader.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import { renamed } from "../cluster/cluster.ts";
import { memo, memoProgram } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const callsPerDay = 20_000;
const solana = chainOf("solana") as Chain;
const world = await makeSolanaWorld();
const { cluster, nodes, h, owner } = world;
const [node] = nodes;
if (!node) throw new Error("there is no node");
const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A clock that moves only during sleeps. */
class SleepingClock implements Clock {
  private at: number;
  constructor(text: string) {
    this.at = Date.parse(text);
  }
  now = () => new Date(this.at);
  sleep = async (ms: number, signal?: AbortSignal) => {
    if (!signal?.aborted) this.at += ms;
  };
}

/** An engine that follows the cluster within a budget, of which only some calls are left. */
function start(clock: Clock, callsLeft: number) {
  const counter = new CallCounter(clock);
  for (let call = callsLeft; call < callsPerDay; call++)
    counter.count({ endpoint: 1, host: "node" }, "getSlot");
  const budget = makeCallBudget(callsPerDay, counter, clock);
  const reader = makeSolanaReader({ urls: [node?.url ?? ""], clock, counter, budget });
  const follower = new Follower(h.app, solana, reader);
  closing.push(
    () => follower.stop(),
    () => reader.close(),
  );
  /** Follows the cluster until a time, with one transaction at each poll. Returns the intervals between polls, in seconds. */
  const followUntil = async (text: string) => {
    const intervals: number[] = [];
    while (clock.now().getTime() < Date.parse(text)) {
      cluster.produce([await cluster.run([memo(`note ${cluster.head}`)])]);
      cluster.finalize(cluster.head - 32);
      while ((await follower.step()) !== "idle" && !follower.isAtHead);
      const before = clock.now().getTime();
      await follower.waitForWork(new AbortController().signal);
      intervals.push((clock.now().getTime() - before) / 1000);
    }
    return intervals;
  };
  return { counter, reader, follower, followUntil };
}

const status = async () => {
  const chains = (await owner.client.get("/chains")).body as ChainInfo[];
  return chains.find(({ chain }) => chain === "solana") as ChainInfo;
};

async function countSamples(): Promise<number> {
  const rows = await h.app.db
    .selectFrom("samples")
    .select("height")
    .where("series_id", "=", target.id)
    .execute();
  return rows.length;
}

test("polling slows down before the budget of a day is used up, and the status says so", async () => {
  const { counter, followUntil } = start(new SleepingClock("2026-03-01T23:00:00Z"), 120);
  const intervals = await followUntil("2026-03-01T23:20:00Z");
  expect(intervals.at(-1)).toBeGreaterThan(60);
  expect(counter.today()).toBeLessThanOrEqual(callsPerDay);
  expect(await status()).toMatchObject({
    status_reason: expect.stringMatching(
      /^The chain is polled every \d+ seconds instead of every 10, to stay within the budget of 20000 calls a day\.$/,
    ),
    reading: { is_slowed: true },
  });
});

test("transactions are not read once the calls of a day are used up, the status says so, and the next day reads them all", async () => {
  const { counter, follower, followUntil } = start(new SleepingClock("2026-03-02T23:00:00Z"), 8);
  const [before, head] = [node.calls.length, cluster.head];
  await followUntil("2026-03-02T23:50:00Z");
  expect(new Set(node.calls.slice(before))).toEqual(new Set(["getAccountInfo"]));
  expect(follower.cursor?.height).toBeLessThanOrEqual(head);
  expect(counter.today()).toBeLessThanOrEqual(callsPerDay);
  expect(await status()).toMatchObject({
    status_reason: `The budget of ${callsPerDay} calls a day is used up. Transactions are read again, from the first that was not read, after midnight (UTC).`,
    reading: { is_slowed: true },
  });
  const samples = await countSamples();
  await followUntil("2026-03-03T00:00:40Z");
  expect(follower.cursor?.height).toBe(cluster.head);
  expect(await countSamples()).toBe(samples + cluster.head - head);
  expect(await status()).toMatchObject({ status_reason: null, reading: { is_slowed: false } });
});

test("a search for the cause of a polled change takes a small part of the calls that are left", async () => {
  const sent = await cluster.run([memo("change")]);
  cluster.produce(Array.from({ length: 30 }, (_, at) => renamed(sent, at)));
  const clock = new SleepingClock("2026-03-03T23:59:00Z");
  const searched = async (callsLeft: number) => {
    const { counter, reader } = start(clock, callsLeft);
    const before = counter.today();
    const range = { after: cluster.head - 1, upTo: cluster.head };
    let found = 0;
    for await (const blocks of reader.transactionsBetween?.(memoProgram, range) ?? [])
      found += blocks.flatMap(({ transactions }) => transactions).length;
    return { calls: counter.today() - before, found };
  };
  expect(await searched(1_000)).toEqual({ calls: 31, found: 30 });
  expect(await searched(100)).toEqual({ calls: 9, found: 8 });
  expect(await searched(10)).toEqual({ calls: 0, found: 0 });
});
