import { expect, test } from "vitest";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import type { ExecutedTransaction } from "../cluster/cluster.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { resume } from "../resume.ts";
import { makeSolanaWorld, type SolanaWorld } from "../world.ts";

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const txRate = { target_type: "tx_rate", config: {} };

/** A transaction of the memo program alone, or of the wallet alone. */
async function memoTransaction({ cluster }: SolanaWorld, text: string): Promise<ExecutedTransaction> {
  return { ...(await cluster.run([memo(text)])), accounts: [memoProgram] };
}

async function payment({ cluster }: SolanaWorld): Promise<ExecutedTransaction> {
  return { ...(await cluster.run([transferSol(cluster.payer, wallet, 5_000_000_000n)])), accounts: [wallet] };
}

async function signaturesOf({ h }: SolanaWorld, target_id: string): Promise<string[]> {
  const rows = await h.app.db
    .selectFrom("samples")
    .select("evidence")
    .where("series_id", "=", target_id)
    .orderBy("height")
    .orderBy("position")
    .execute();
  return rows.map(({ evidence }) => (evidence as { tx_hash: string }).tx_hash);
}

async function statusOf({ owner }: SolanaWorld, contract_id: string) {
  const { status, status_reason } = (await owner.client.get(`/contracts/${contract_id}`)).body as {
    status: string;
    status_reason: string;
  };
  return { status, status_reason };
}

test.each([
  ["fails with an error", -32603, {}],
  ["is left out of the index", -32010, {}],
  ["never answers", "hangs" as const, { timeoutMs: 200, clock: fastClock(5) }],
])(
  "an address whose listing %s delays no other, and loses nothing if it recovers",
  async (_, fault, options) => {
    const world = await makeSolanaWorld(options);
    const { cluster, nodes } = world;
    const failing = await world.watch(memoProgram, txRate);
    const other = await world.watch(wallet, txRate);
    await world.runUntilIdle();
    nodes[0]?.faults.failing.set(memoProgram, fault);
    const sent = [await memoTransaction(world, "one"), await memoTransaction(world, "two")];
    const paid = await payment(world);
    cluster.produce(sent.slice(0, 1));
    cluster.produce([paid]);
    cluster.produce(sent.slice(1));
    await world.catchUp();
    expect(await signaturesOf(world, other.id)).toEqual([paid.signature]);
    expect(await signaturesOf(world, failing.id)).toEqual([]);
    await world.step();
    const chains = (await world.owner.client.get("/chains")).body as {
      chain: string;
      status_reason: string | null;
    }[];
    expect(chains.find(({ chain }) => chain === "solana")?.status_reason).toContain(
      `The address ${memoProgram} cannot be listed`,
    );
    nodes[0]?.faults.failing.clear();
    await expect
      .poll(async () => {
        await world.step();
        return signaturesOf(world, failing.id);
      })
      .toEqual(sent.map(({ signature }) => signature));
    expect(await signaturesOf(world, other.id)).toEqual([paid.signature]);
    expect(await statusOf(world, failing.contract_id)).toMatchObject({ status: "MONITORING" });
  },
);

test("an address that cannot be listed for long is suspended at an exact slot, its state is still read, and it resumes automatically", async () => {
  const world = await makeSolanaWorld({ clock: fastClock(20), listing: { maxFailingMs: 0 } });
  const { cluster, nodes, h } = world;
  const failing = await world.watch(wallet, txRate);
  const body = { target_type: "native_balance" };
  await world.owner.client.post(`/contracts/${failing.contract_id}/targets`, body);
  const other = await world.watch(memoProgram, txRate);
  await world.runUntilIdle();
  const first = await payment(world);
  const last = cluster.produce([first]);
  await world.runUntilIdle();
  nodes[0]?.faults.failing.set(wallet, -32603);
  const missed = await payment(world);
  cluster.produce([missed]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const { status, status_reason } = await statusOf(world, failing.contract_id);
  expect(status).toBe("ERROR");
  expect(status_reason).toContain(`The address ${wallet} cannot be listed: a node returned error -32603`);
  expect(status_reason).toContain(`Nothing after slot ${last} is counted`);
  const note = await memoTransaction(world, "others go on");
  cluster.produce([note]);
  await world.runUntilIdle();
  expect(await signaturesOf(world, other.id)).toEqual([note.signature]);
  await raiseSystemAlerts(h.app);
  const own = (await world.events()).filter((event) => event.contract_id === failing.contract_id);
  expect(own).toMatchObject([
    { contract_id: failing.contract_id, status: "firing", explanation: { reason: "unreadable" } },
  ]);

  h.clock.advance(31);
  await world.step();
  await expect
    .poll(async () => {
      await world.step();
      return (await statusOf(world, failing.contract_id)).status_reason === status_reason;
    })
    .toBe(false);
  expect(await statusOf(world, failing.contract_id)).toMatchObject({ status: "ERROR" });
  nodes[0]?.faults.failing.clear();
  h.clock.advance(61);
  await resume(world, failing.contract_id);
  const resumed = await payment(world);
  cluster.produce([resumed], { seconds: 30 });
  await world.runUntilIdle();
  cluster.produce([], { seconds: 30 });
  await world.runUntilIdle();
  const all = [first, missed, resumed].map(({ signature }) => signature);
  expect(await signaturesOf(world, failing.id)).toEqual(all);
  const balance = (await world.targets(failing.contract_id)).find(
    (target) => target.target_type === "native_balance",
  );
  expect(balance).toMatchObject({ status: "ok", last_value: 15 });
});

test("a transaction that the nodes list but do not return delays no other, and counts when they return it", async () => {
  const world = await makeSolanaWorld({ nodes: 2, clock: fastClock(20) });
  const { cluster, nodes } = world;
  const program = await world.watch(memoProgram, txRate);
  const other = await world.watch(wallet, txRate);
  await world.runUntilIdle();
  const sent = [await memoTransaction(world, "withheld"), await memoTransaction(world, "returned")];
  const paid = await payment(world);
  const [withheld, returned] = sent.map(({ signature }) => signature) as [string, string];
  for (const { faults } of nodes) faults.withheld.add(withheld);
  cluster.produce(sent.slice(0, 1));
  cluster.produce(sent.slice(1));
  cluster.produce([paid]);
  await world.catchUp();
  expect(await signaturesOf(world, other.id)).toEqual([paid.signature]);
  expect(await signaturesOf(world, program.id)).toEqual([returned]);
  for (const { faults } of nodes) faults.withheld.clear();
  await expect
    .poll(async () => {
      await world.step();
      return signaturesOf(world, program.id);
    })
    .toEqual([withheld, returned]);
  expect(await signaturesOf(world, other.id)).toEqual([paid.signature]);
});

test("an address with a transaction that is never returned is suspended, and says which one", async () => {
  const world = await makeSolanaWorld({ clock: fastClock(20), listing: { maxFailingMs: 0 } });
  const { cluster, nodes } = world;
  const program = await world.watch(memoProgram, txRate);
  await world.runUntilIdle();
  const lost = await memoTransaction(world, "lost");
  nodes[0]?.faults.withheld.add(lost.signature);
  const slot = cluster.produce([lost]);
  cluster.produce();
  await world.runUntilIdle();
  await world.step();
  expect(await statusOf(world, program.contract_id)).toMatchObject({
    status: "ERROR",
    status_reason: expect.stringContaining(lost.signature),
  });
  expect((await statusOf(world, program.contract_id)).status_reason).toContain(`after slot ${slot - 1}`);
});

test("a listing continues where a node does not know the last transaction any more", async () => {
  const world = await makeSolanaWorld();
  const { cluster, nodes } = world;
  const program = await world.watch(memoProgram, txRate);
  await world.runUntilIdle();
  const sent = [await memoTransaction(world, "one"), await memoTransaction(world, "two")];
  cluster.produce(sent.slice(0, 1));
  await world.runUntilIdle();
  cluster.produce([], { skipped: 400 });
  cluster.finalize();
  await world.runUntilIdle();
  Object.assign(nodes[0]?.faults ?? {}, { forgetsUntil: true });
  cluster.produce(sent.slice(1));
  await world.runUntilIdle();
  expect(await signaturesOf(world, program.id)).toEqual(sent.map(({ signature }) => signature));
});

test("slots that no node has any more are skipped, and the gap is recorded, shown and announced", async () => {
  const world = await makeSolanaWorld({ nodes: 2 });
  const { cluster, nodes, h, owner } = world;
  const program = await world.watch(memoProgram, txRate);
  await world.runUntilIdle();
  const sent = await Promise.all(["pruned", "kept", "new"].map((text) => memoTransaction(world, text)));
  const [pruned, kept, fresh] = sent as [ExecutedTransaction, ExecutedTransaction, ExecutedTransaction];
  cluster.produce([pruned]);
  cluster.produce([kept], { skipped: 6_000 });
  cluster.finalize();
  for (const { faults } of nodes) faults.firstSlot = cluster.head - 200;
  // One node with the whole history is enough.
  if (nodes[1]) nodes[1].faults.firstSlot = 0;
  await world.catchUp();
  expect(await signaturesOf(world, program.id)).toEqual([pruned.signature, kept.signature]);

  const reached = cluster.head;
  await world.restart();
  cluster.produce([], { skipped: 4_000 });
  cluster.produce([fresh], { skipped: 4_000 });
  cluster.finalize();
  const oldest = cluster.head - 200;
  for (const { faults } of nodes) faults.firstSlot = oldest;
  await world.catchUp();
  expect(await signaturesOf(world, program.id)).toEqual([pruned.signature, kept.signature, fresh.signature]);
  const chains = (await owner.client.get("/chains")).body as { chain: string; gaps: object[] }[];
  expect(chains.find(({ chain }) => chain === "solana")?.gaps).toMatchObject([
    { from_block: reached + 1, to_block: oldest + 150 },
  ]);
  await raiseSystemAlerts(h.app);
  const skipped = (await world.events()).filter(({ title }) => title.includes("not monitored"));
  expect(skipped).toMatchObject([
    { explanation: { reason: "blocks_skipped", from_block: reached + 1, to_block: oldest + 150 } },
  ]);
});
