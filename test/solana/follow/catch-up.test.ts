import { expect, test } from "vitest";
import { fastClock } from "../../simchain/fast-clock.ts";
import type { ExecutedTransaction } from "../cluster/cluster.ts";
import { transferSol } from "../cluster/programs.ts";
import { resume } from "../resume.ts";
import { makeSolanaWorld, type SolanaWorld } from "../world.ts";

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const other = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const world = await makeSolanaWorld({ nodes: 2, clock: fastClock(20), listing: { maxFailingMs: 0 } });
const { cluster, nodes, h, owner } = world;

async function pay(to: string): Promise<ExecutedTransaction> {
  return { ...(await cluster.run([transferSol(cluster.payer, to, 5_000_000_000n)])), accounts: [to] };
}

async function samplesOf({ h }: SolanaWorld, target_id: string): Promise<string[]> {
  const rows = await h.app.db
    .selectFrom("samples")
    .select(["evidence", "height"])
    .where("series_id", "=", target_id)
    .orderBy("height")
    .orderBy("position")
    .execute();
  return rows.map(({ evidence, height }) => `${height}:${(evidence as { tx_hash: string }).tx_hash}`);
}

const status = async (contract_id: string) =>
  ((await owner.client.get(`/contracts/${contract_id}`)).body as { status: string }).status;

async function suspend(contract_id: string): Promise<void> {
  for (const { faults } of nodes) faults.failing.set(wallet, -32603);
  for (let steps = 0; steps < 20 && (await status(contract_id)) === "MONITORING"; steps++) {
    cluster.produce();
    await world.step();
  }
}

function recover(): void {
  for (const { faults } of nodes) faults.failing.clear();
  h.clock.advance(3_601);
}

test("a suspended address counts what it missed when it comes back, at its slot and with its alerts, also after crashes", async () => {
  const watched = await world.watch(wallet, { target_type: "large_transfer", config: { native: true } });
  const quiet = await world.watch(other, { target_type: "tx_rate", config: {} });
  const each = await world.rule(watched.id, { aggregation: "each", window_seconds: undefined });
  const window = await world.rule(watched.id, { aggregation: "count", threshold: 2, window_seconds: 60 });
  const truth: string[] = [];
  const paidTo = async (to: string, list: string[], seconds = 1) => {
    const paid = await pay(to);
    const slot = cluster.produce([paid], { seconds });
    list.push(`${slot}:${paid.signature}`);
  };
  await world.runUntilIdle();
  await paidTo(wallet, truth);
  await world.runUntilIdle();
  await suspend(watched.contract_id);
  expect(await status(watched.contract_id)).toBe("ERROR");
  const ofOther: string[] = [];
  // Two payments within the window, and one long after it, all of them during the suspension.
  await paidTo(wallet, truth, 100);
  const [, second] = (truth.at(-1) ?? "").split(":");
  await paidTo(wallet, truth);
  const [, third] = (truth.at(-1) ?? "").split(":");
  await paidTo(other, ofOther);
  await world.step();
  cluster.produce([], { skipped: 2_000, seconds: 800 });
  await paidTo(wallet, truth);
  cluster.finalize();
  await world.step();
  expect(await samplesOf(world, watched.id)).toEqual(truth.slice(0, 1));

  recover();
  // It is paid at every step until it has resumed, so that some payments are above the slot at which it joins the others.
  const whileCatchingUp: ExecutedTransaction[] = [];
  for (let count = 0; count < 30; count++) whileCatchingUp.push(await pay(wallet));
  let steps = 0;
  const reason = await resume(world, watched.contract_id, async () => {
    const next = whileCatchingUp.shift();
    const slot = next ? cluster.produce([next]) : 0;
    if (next) truth.push(`${slot}:${next.signature}`);
    steps += 1;
    if (steps === 3) await world.restart();
  });
  expect(reason).toMatch(
    /Monitoring resumed after slot \d+\. What happened during the suspension was counted\./,
  );
  await paidTo(wallet, truth);
  await world.catchUp();
  await world.runUntilIdle();
  expect(steps).toBeGreaterThan(2);
  expect(await samplesOf(world, watched.id)).toEqual(truth);
  expect(await samplesOf(world, quiet.id)).toEqual(ofOther);
  const events = await world.events();
  const occurred = events.filter(({ rule_id }) => rule_id === each);
  expect(occurred.map(({ block_number, tx_hash }) => `${block_number}:${tx_hash}`).toSorted()).toEqual(
    truth.toSorted(),
  );
  const fired = events.filter(({ rule_id, tx_hash }) => rule_id === window && tx_hash === third);
  expect(fired).toMatchObject([{ status: "resolved" }]);
  expect(events.some(({ rule_id, tx_hash }) => rule_id === window && tx_hash === second)).toBe(false);
  const phases = await h.app.db.selectFrom("suspended_contracts").select("phase").execute();
  expect(phases).toEqual([{ phase: "resumed" }]);
  const notices = await world.notices();
  expect(notices.filter((kind) => kind === "retracted")).toEqual([]);
});

test("slots of a suspension that no node has any more are a gap that the contract and the audit log name", async () => {
  const contracts = (await owner.client.get("/contracts")).body as { id: string; address: string }[];
  const own = contracts.find(({ address }) => address === wallet) as { id: string };
  const [target] = await world.targets(own.id);
  const before = (await samplesOf(world, target?.id ?? "")).length;
  await suspend(own.id);
  const pruned = await pay(wallet);
  const kept = await pay(wallet);
  cluster.produce([pruned]);
  cluster.produce([], { skipped: 6_000 });
  cluster.produce([kept], { skipped: 1_000 });
  cluster.finalize();
  await world.step();
  for (const { faults } of nodes) faults.firstSlot = cluster.head - 500;
  recover();
  const reason = await resume(world, own.id);
  expect(reason).toMatch(
    /Nothing from slot \d+ to slot \d+ was counted, because no node has these slots any more\./,
  );
  await world.runUntilIdle();
  const counted = (await samplesOf(world, target?.id ?? "")).slice(before);
  expect(counted.map((one) => one.split(":")[1])).toEqual([kept.signature]);
  const audit = (await owner.client.get("/audit-log?action=contract.skipped")).body as object[];
  expect(audit).toMatchObject([
    { details: { from_block: expect.any(Number), to_block: expect.any(Number) } },
  ]);
});
