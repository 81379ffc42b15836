import { expect, test } from "vitest";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { longTest } from "../../support/run-size.ts";
import { type ExecutedTransaction, renamed } from "../cluster/cluster.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { resume } from "../resume.ts";
import { makeSolanaWorld, type SolanaWorld } from "../world.ts";

const quietWallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

/** Many transactions that involve the memo program only. */
async function manyMemos({ cluster }: SolanaWorld, count: number): Promise<ExecutedTransaction[]> {
  const ran = { ...(await cluster.run([memo("again and again")])), accounts: [memoProgram] };
  return Array.from({ length: count }, (_, at) => renamed(ran, at));
}

async function samplesOf({ h }: SolanaWorld, target_id: string): Promise<string[]> {
  const rows = await h.app.db
    .selectFrom("samples")
    .select(["evidence", "height"])
    .where("series_id", "=", target_id)
    .orderBy("height")
    .orderBy("position")
    .execute();
  return rows.map(({ evidence }) => (evidence as { tx_hash: string }).tx_hash);
}

longTest(
  "an address with more transactions than fit in memory is read in order, together with others",
  async () => {
    const world = await makeSolanaWorld({ listing: { maxKept: 100, maxPending: 50, smallListing: 20 } });
    const { cluster, nodes } = world;
    const busy = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
    const quiet = await world.watch(quietWallet, { target_type: "large_transfer", config: { native: true } });
    await world.runUntilIdle();
    const many = await manyMemos(world, 800);
    const paid = await cluster.run([transferSol(cluster.payer, quietWallet, 5_000_000_000n)]);
    for (let at = 0; at < many.length; at += 10)
      cluster.produce([...many.slice(at, at + 10), ...(at === 400 ? [paid] : [])]);
    cluster.finalize();
    const calls = nodes[0]?.calls ?? [];
    calls.length = 0;
    await world.catchUp();
    expect(await samplesOf(world, busy.id)).toEqual(many.map(({ signature }) => signature));
    expect(await samplesOf(world, quiet.id)).toEqual([paid.signature]);
    // Listing in pages of a hundred needs fewer calls than listing everything at each step, which took hundreds.
    expect(calls.filter((method) => method === "getSignaturesForAddress").length).toBeLessThan(120);
  },
);

test("a listing whose node forgot its cursor is completed later, without a gap", async () => {
  const world = await makeSolanaWorld({ listing: { maxKept: 20 } });
  const { cluster, nodes } = world;
  const busy = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.runUntilIdle();
  const many = await manyMemos(world, 60);
  for (let at = 0; at < many.length; at += 5) cluster.produce(many.slice(at, at + 5));
  cluster.finalize();
  Object.assign(nodes[0]?.faults ?? {}, { forgetful: true });
  await world.step();
  Object.assign(nodes[0]?.faults ?? {}, { forgetful: false });
  await expect
    .poll(async () => {
      await world.step();
      return samplesOf(world, busy.id);
    })
    .toEqual(many.map(({ signature }) => signature));
});

longTest(
  "an address that delays the chain is suspended at an exact slot with an alert, and later counts what it missed",
  async () => {
    const world = await makeSolanaWorld({ lag: { lateSlots: 30, spanSlots: 30 } });
    const { cluster, h, owner } = world;
    const busy = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
    const quiet = await world.watch(quietWallet, { target_type: "large_transfer", config: { native: true } });
    await world.runUntilIdle();
    const many = await manyMemos(world, 8_000);
    const paid: ExecutedTransaction[] = [];
    const placed = new Map<string, number>();
    const statusOf = async () =>
      (await owner.client.get(`/contracts/${busy.contract_id}`)).body as {
        status: string;
        status_reason: string;
      };
    // Each round produces more transactions than a step reads.
    while (many.length > 0 && (await statusOf()).status === "MONITORING") {
      paid.push(await cluster.run([transferSol(cluster.payer, quietWallet, 5_000_000_000n)]));
      for (let slots = 0; slots < 20; slots++) {
        const some = many.splice(0, 50);
        const slot = cluster.produce(slots === 0 ? [...some, ...paid.slice(-1)] : some);
        for (const { signature } of some) placed.set(signature, slot);
      }
      cluster.finalize();
      await world.step();
    }
    await world.catchUp();
    const { status, status_reason } = await statusOf();
    expect([status, status_reason]).toEqual(["ERROR", expect.stringContaining(memoProgram)]);
    const since = Number(/Nothing after slot (\d+) is counted/.exec(status_reason)?.[1]);
    // Exactly the transactions up to the reported slot are counted.
    const upTo = [...placed].filter(([, slot]) => slot <= since).map(([signature]) => signature);
    expect(await samplesOf(world, busy.id)).toEqual(upTo);
    expect(upTo.length).toBeLessThan(placed.size);
    expect(await samplesOf(world, quiet.id)).toEqual(paid.map(({ signature }) => signature));

    await raiseSystemAlerts(h.app);
    await raiseSystemAlerts(h.app);
    const own = async () =>
      (await world.events()).filter(
        (event) => event.rule_id === null && event.contract_id === busy.contract_id,
      );
    expect(await own()).toMatchObject([
      { status: "firing", contract_id: busy.contract_id, message: status_reason, severity: "critical" },
    ]);

    // Its traffic ends, so that it can be followed again.
    cluster.produce([], { skipped: 5_000 });
    cluster.finalize();
    h.clock.advance(600);
    await world.restart();
    const reason = await resume(world, busy.contract_id);
    expect(reason).toContain("What happened during the suspension was counted.");
    const late = renamed(many[0] ?? (paid[0] as ExecutedTransaction), 900_001);
    cluster.produce([{ ...late, accounts: [memoProgram] }]);
    await world.catchUp();
    await world.runUntilIdle();
    expect(await samplesOf(world, busy.id)).toEqual([...placed.keys(), late.signature]);
    await raiseSystemAlerts(h.app);
    expect(await own()).toMatchObject([{ status: "resolved" }]);
  },
);

test("an address with a long backlog of listed transactions is suspended", async () => {
  const world = await makeSolanaWorld({ lag: { lateSlots: 30, spanSlots: 30 } });
  const { cluster, owner } = world;
  const busy = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
  await world.runUntilIdle();
  const many = await manyMemos(world, 9_000);
  const produce = (slots: number) => {
    for (let slot = 0; slot < slots; slot++) cluster.produce(many.splice(0, 50));
    cluster.finalize();
  };
  // A large backlog, as after a standstill, so that nothing new is listed for several steps.
  produce(80);
  for (let steps = 0; steps < 5; steps++) {
    await world.step();
    produce(20);
  }
  expect((await owner.client.get(`/contracts/${busy.contract_id}`)).body).toMatchObject({ status: "ERROR" });
});
