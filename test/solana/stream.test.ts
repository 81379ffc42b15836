import { generateKeyPairSigner, lamports } from "@solana/kit";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { familyOf } from "../../src/chains/families.ts";
import { chainOf } from "../../src/chains/index.ts";
import { readStreamed } from "../../src/chains/solana/stream/streamed-transaction.ts";
import { readTransaction } from "../../src/chains/solana/transactions/transaction.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { makeDice } from "../pipeline/dice.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { runSize } from "../support/run-size.ts";
import type { ExecutedTransaction } from "./cluster/cluster.ts";
import { startGeyserServer, toTransactionUpdate } from "./cluster/geyser-server.ts";
import { makeToken, memo, memoProgram, transferSol } from "./cluster/programs.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld({ clock: fastClock(50) });
const { cluster } = world;
const geyser = await startGeyserServer(cluster);
afterAll(() => geyser.close());
beforeEach(() => {
  Object.assign(geyser.faults, {
    token: undefined,
    replays: true,
    leavesOut: () => false,
    repeats: () => false,
  });
});

const hits = { target_type: "solana_event", config: { event_name: "hit", match: "log" } };
const target = await world.watch(memoProgram, hits);
await world.rule(target.id, { aggregation: "each", threshold: 1 });
await world.runUntilIdle();

const calls = (method: string) => world.nodes[0]?.calls.filter((call) => call === method).length;
const alerted = async () => (await world.events()).map(({ tx_hash }) => tx_hash).sort();
const failing = { ...memo(""), data: Buffer.of(0xff, 0xfe) };

/** Restarts the engine with a stream that has confirmed its filter. */
async function restartWithStream(token?: string): Promise<void> {
  await world.restart({ stream: { url: geyser.url, token } });
  await world.runUntilIdle();
  await expect.poll(() => geyser.watched()).toEqual([[memoProgram]]);
}

test("a streamed transaction raises an alert, and no node is asked for it or for its block", async () => {
  await restartWithStream();
  const before = [calls("getTransaction"), calls("getBlock")];
  const ran = await cluster.run([memo("hit of a stream")]);
  geyser.stream(cluster.produce([ran]));
  await geyser.settle();
  await world.runUntilIdle();
  expect(await alerted()).toEqual([ran.signature]);
  expect([calls("getTransaction"), calls("getBlock")]).toEqual(before);
});

test("a streamed transaction that failed is fetched, because its error is in another format", async () => {
  await restartWithStream();
  const before = calls("getTransaction") ?? 0;
  geyser.stream(cluster.produce([await cluster.run([memo("hit that fails"), failing])]));
  await geyser.settle();
  await world.runUntilIdle();
  expect(calls("getTransaction")).toBe(before + 1);
});

test("a streamed transaction is not used if the server recorded no log or no invoked instructions", async () => {
  const update = toTransactionUpdate(await cluster.run([memo("hit")]), 7n, 0);
  expect(readStreamed(update, null)?.slot).toBe(7);
  for (const none of ["innerInstructionsNone", "logMessagesNone"] as const) {
    const { transaction } = structuredClone(update);
    Object.assign(transaction?.meta ?? {}, { [none]: true });
    expect(readStreamed({ ...update, transaction }, null)).toBeUndefined();
  }
});

test("a transaction that is streamed and not on the chain raises no alert", async () => {
  await restartWithStream();
  const before = await alerted();
  const ran = await cluster.run([memo("hit that is dropped")]);
  const slot = cluster.produce([ran]);
  geyser.stream(slot);
  await geyser.settle();
  cluster.rollBack(slot - 1);
  cluster.produce();
  cluster.produce();
  await world.runUntilIdle();
  expect(await alerted()).toEqual(before);
});

test("after an interruption the stream continues after its last slot, and without replay all addresses are listed", async () => {
  await restartWithStream();
  const slot = cluster.produce();
  geyser.stream(slot);
  await geyser.settle();
  geyser.drop();
  await expect.poll(() => geyser.subscriptions.at(-1)?.fromSlot).toBe(BigInt(slot + 1));
  await expect.poll(() => geyser.watched()).toEqual([[memoProgram]]);
  geyser.faults.replays = false;
  geyser.drop();
  await expect.poll(() => geyser.subscriptions.at(-1)?.fromSlot).toBeUndefined();
  await expect.poll(() => geyser.watched()).toEqual([[memoProgram]]);
});

test("with a wrong token the status says that the stream is interrupted, and polls find the transactions", async () => {
  geyser.faults.token = "right token";
  await world.restart({ stream: { url: geyser.url, token: "wrong token" } });
  await world.runUntilIdle();
  await expect.poll(() => world.warning()).toContain("The stream of transactions is interrupted");
  const ran = await cluster.run([memo("hit without a stream")]);
  cluster.produce([ran]);
  await world.runUntilIdle();
  expect(await alerted()).toContain(ran.signature);
  await world.restart({ stream: { url: geyser.url, token: "right token" } });
  await world.runUntilIdle();
  await expect.poll(() => geyser.watched()).toEqual([[memoProgram]]);
  await geyser.settle();
  expect(world.warning()).toBeUndefined();
});

test("doctor finds out whether a stream sends blocks, and why not", async () => {
  const family = familyOf(chainOf("solana") as Chain);
  const check = (token?: string) => family.checkStream?.({ url: geyser.url, token }, systemClock);
  const slot = cluster.produce();
  const checked = check();
  await expect.poll(() => geyser.watched().length).toBeGreaterThan(1);
  geyser.stream(slot);
  expect(await checked).toBe(slot);
  geyser.faults.token = "right token";
  await expect(check("wrong token")).rejects.toThrow("the token is invalid");
});

const seeds = Array.from(
  { length: runSize("STREAM_SEEDS", { short: 1, long: 100 }) },
  (_, index) => index + 1,
);

test.each(seeds)(
  "a stream that drops, repeats and leaves out transactions changes no alert (seed %i)",
  async (seed) => {
    const dice = makeDice(seed);
    await restartWithStream();
    geyser.faults.leavesOut = () => dice.chance(0.2);
    geyser.faults.repeats = () => dice.chance(0.2);
    const sent: (string | null)[] = await alerted();
    for (let slots = 0; slots < 25; slots++) {
      const ran: ExecutedTransaction[] = [];
      for (let left = dice.between(0, 2); left > 0; left--)
        ran.push(await cluster.run([memo(`hit ${seed} ${slots} ${left}`)]));
      sent.push(...ran.map(({ signature }) => signature));
      const slot = cluster.produce(ran, { skipped: dice.pick([0, 0, 3]) });
      if (dice.chance(0.8)) geyser.stream(slot);
      if (dice.chance(0.1)) geyser.drop();
      geyser.faults.replays = dice.chance(0.7);
      if (dice.chance(0.3)) await world.waitForHead();
      if (dice.chance(0.5)) await world.runUntilIdle();
      if (dice.chance(0.1)) await restartWithStream();
    }
    cluster.finalize(cluster.produce());
    // What the stream left out is found by a full poll, which comes after an interval.
    const poll = async () => {
      await world.waitForHead();
      await world.runUntilIdle();
      return alerted();
    };
    await expect.poll(poll).toEqual(sent.sort());
  },
);

test("a streamed transaction is read as the one that a node returns", async () => {
  const token = await makeToken(cluster, 6);
  const holder = await generateKeyPairSigner();
  cluster.svm.airdrop(holder.address, lamports(1_000_000_000n));
  const all = [
    token.made,
    await cluster.run([memo("a log")]),
    await cluster.run([token.open(holder.address), token.mintTo(holder.address, 5_000_000n)]),
    await cluster.run([transferSol(cluster.payer, holder.address, 1_000n)]),
  ];
  for (const [index, ran] of all.entries()) {
    const { signature, transaction, meta } = ran;
    const json = { slot: 7, blockTime: 1_700_000_000, transactionIndex: index, transaction, meta };
    expect(readStreamed(toTransactionUpdate(ran, 7n, index), 1_700_000_000)).toEqual(
      readTransaction(json, signature),
    );
  }
});
