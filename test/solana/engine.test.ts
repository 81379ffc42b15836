import { expect, test } from "vitest";
import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { makeDice } from "../pipeline/dice.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { renamed } from "./cluster/cluster.ts";
import { makeToken, memo, memoProgram, tokenIdl } from "./cluster/programs.ts";
import { makeSolanaWorld } from "./world.ts";

test("an instruction of a monitored program raises an alert with the decoded instruction", async () => {
  const world = await makeSolanaWorld();
  const { cluster } = world;
  const token = await makeToken(cluster);
  const config = { name: "mint_to", filter: "amount >= 500" };
  const target = await world.watch(tokenProgram, { target_type: "solana_instruction", config }, tokenIdl);
  await world.rule(target.id);
  await world.runUntilIdle();
  cluster.produce([token.made]);
  const small = await cluster.run([
    token.open(cluster.payer.address),
    token.mintTo(cluster.payer.address, 499n),
  ]);
  cluster.produce([small]);
  await world.runUntilIdle();
  expect(await world.events()).toEqual([]);
  const large = await cluster.run([token.mintTo(cluster.payer.address, 500n)]);
  const slot = cluster.produce([large], { skipped: 3 });
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([
    {
      status: "firing",
      chain: "solana",
      tx_hash: large.signature,
      block_number: slot,
      block_hash: `Hash${slot}`,
      explanation: { decoded: { name: "mintTo", args: { amount: "500", mint: token.mint } } },
    },
  ]);
});

test("an alert whose transaction was dropped with its slot is retracted once that is final", async () => {
  const world = await makeSolanaWorld();
  const { cluster } = world;
  const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.rule(target.id);
  await world.runUntilIdle();
  const before = cluster.head;
  cluster.produce([await cluster.run([memo("hello")])]);
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([{ status: "firing", finality: "safe" }]);
  cluster.rollBack(before);
  cluster.produce();
  await world.runUntilIdle();
  // Before the slot is final, the node may only be lagging.
  expect(await world.events()).toMatchObject([{ status: "firing" }]);
  cluster.produce();
  cluster.finalize();
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([{ status: "retracted" }]);
  expect(await world.notices()).toEqual(["fired", "retracted"]);
});

test("an alert whose transaction moves to another slot is kept without a second notice", async () => {
  const world = await makeSolanaWorld();
  const { cluster } = world;
  const target = await world.watch(memoProgram, {
    target_type: "solana_event",
    config: { event_name: "hello", match: "log" },
  });
  await world.rule(target.id);
  await world.runUntilIdle();
  const before = cluster.head;
  cluster.produce([await cluster.run([memo("hello")])]);
  cluster.produce();
  await world.runUntilIdle();
  const again = cluster.rollBack(before);
  cluster.produce();
  const slot = cluster.produce(again);
  expect(await world.runUntilIdle()).toEqual(["rolled_back"]);
  cluster.finalize(cluster.produce());
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([
    { status: "firing", block_number: slot, finality: "finalized" },
  ]);
  expect(await world.notices()).toEqual(["fired"]);
});

test("transactions made while the engine was down are read page by page and counted once", async () => {
  const world = await makeSolanaWorld();
  const { cluster } = world;
  const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.rule(target.id, { operator: "gte", threshold: 1, aggregation: "count" });
  await world.runUntilIdle();
  const [executedTransaction, other] = [await cluster.run([memo("one")]), await cluster.run([memo("other")])];
  cluster.produce([executedTransaction]);
  await world.runUntilIdle();
  await world.restart();
  cluster.rollBack(cluster.head - 1);
  const many = Array.from({ length: 2300 }, (_, at) => renamed(other, at));
  for (let at = 0; at < many.length; at += 100)
    cluster.produce(many.slice(at, at + 100), { skipped: at % 7 });
  cluster.finalize(cluster.head);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const rows = await world.h.app.db
    .selectFrom("samples")
    .select("evidence")
    .orderBy("height")
    .orderBy("position")
    .execute();
  const found = rows.map(({ evidence }) => (evidence as { tx_hash: string }).tx_hash);
  expect(found).toEqual(many.map(({ signature }) => signature));
  expect((await world.events()).map(({ status, tx_hash }) => [status, tx_hash])).toEqual([
    ["firing", many[0]?.signature],
    ["retracted", executedTransaction.signature],
  ]);
});

test("nodes that lag, lose data, rate-limit and fail lose no transaction", async () => {
  const dice = makeDice(7);
  const world = await makeSolanaWorld({
    nodes: 2,
    clock: fastClock(30),
    chance: () => dice.between(0, 999) / 1000,
  });
  const { cluster, nodes } = world;
  const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.rule(target.id);
  await world.runUntilIdle();
  Object.assign(nodes[0]?.faults ?? {}, { nothing: 0.3, garbage: 0.1, indexLag: 4 });
  Object.assign(nodes[1]?.faults ?? {}, { limited: 0.05, lag: 2, down: 0.1 });
  const sent: string[] = [];
  for (let at = 0; at < 12; at++) {
    const ran = await cluster.run([memo(`number ${at}`)]);
    sent.push(ran.signature);
    cluster.produce([ran]);
    await world.runUntilIdle().catch(() => undefined);
  }
  for (const { faults } of nodes)
    Object.assign(faults, { nothing: 0, garbage: 0, indexLag: 0, limited: 0, lag: 0, down: 0 });
  cluster.finalize(cluster.produce());
  for (let tries = 0; tries < 20; tries++) {
    const done = await world.runUntilIdle().then(
      () => true,
      () => false,
    );
    if (done) break;
  }
  const rows = await world.h.app.db.selectFrom("samples").select("evidence").orderBy("height").execute();
  expect(rows.map(({ evidence }) => (evidence as { tx_hash: string }).tx_hash)).toEqual(sent);
});

test("a rule filters transactions by instruction name, arguments and status", async () => {
  const world = await makeSolanaWorld();
  const { cluster } = world;
  const token = await makeToken(cluster);
  const target = await world.watch(tokenProgram, { target_type: "tx_rate", config: {} }, tokenIdl);
  const match = { functions: [{ signature: "mint_to()", expression: "amount > 10" }], status: "success" };
  await world.rule(target.id, { match });
  await world.runUntilIdle();
  const { address } = cluster.payer;
  cluster.produce([
    await cluster.run([token.open(address)]),
    await cluster.run([token.mintTo(address, 10n)]),
  ]);
  await world.runUntilIdle();
  expect(await world.events()).toEqual([]);
  const ran = await cluster.run([token.mintTo(address, 11n)]);
  cluster.produce([await cluster.run([token.mintTo(address, 1n)]), ran]);
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([
    { tx_hash: ran.signature, explanation: { decoded: { name: "mintTo" } } },
  ]);
});

test("a transaction of an unsupported version is counted", async () => {
  const world = await makeSolanaWorld();
  const { cluster, nodes } = world;
  const target = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.rule(target.id);
  await world.runUntilIdle();
  Object.assign(nodes[0]?.faults ?? {}, { newVersion: true });
  const ran = await cluster.run([memo("from the future")]);
  cluster.produce([ran]);
  await world.runUntilIdle();
  expect(await world.events()).toMatchObject([{ tx_hash: ran.signature }]);
});
