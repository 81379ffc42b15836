import { generateKeyPairSigner } from "@solana/kit";
import { expect } from "vitest";
import { fastClock } from "../../simchain/fast-clock.ts";
import { longTest, runSize } from "../../support/run-size.ts";
import { renamed } from "../cluster/cluster.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

/** QUIET_ADDRESSES=50 is the long version. */
const quietAddresses = runSize("QUIET_ADDRESSES", { short: 6, long: 50 });
/** 400 are 1,000 transactions a second. */
const perSlot = runSize("BUSY_PER_SLOT", { short: 40, long: 400 });
const slotsPerRound = 25;

longTest(
  `a program with ${perSlot * 2.5} transactions a second does not delay the alerts of ${quietAddresses} quiet addresses`,
  async () => {
    const world = await makeSolanaWorld({ clock: fastClock(50) });
    const { cluster, nodes, owner } = world;
    const busy = await world.watch(memoProgram, { target_type: "tx_rate", config: {} });
    const quiet: { wallet: string; id: string }[] = [];
    for (let count = 0; count < quietAddresses; count++) {
      const { address: wallet } = await generateKeyPairSigner();
      const target = await world.watch(wallet, { target_type: "large_transfer", config: { native: true } });
      quiet.push({ wallet, id: target.id });
    }
    await world.runUntilIdle();
    const [node] = nodes;
    if (!node) throw new Error("there is no node");
    node.faults.limit = { perSecond: perSlot / 4, code: 429, message: "Too many requests" };
    const note = { ...(await cluster.run([memo("again and again")])), accounts: [memoProgram] };
    const stepsTaken: number[] = [];
    for (const [round, { wallet, id }] of quiet.entries()) {
      const paid = await cluster.run([transferSol(cluster.payer, wallet, 5_000_000_000n)]);
      const slot = cluster.head + 1;
      for (let at = 0; at < slotsPerRound; at++) {
        const number = (round * slotsPerRound + at) * perSlot;
        const many = Array.from({ length: perSlot }, (_, index) => renamed(note, number + index));
        cluster.produce(at === 0 ? [paid, ...many] : many, { seconds: 0 });
      }
      cluster.finalize(cluster.head - 32);
      let steps = 0;
      for (; !(await hasSample(id)); steps++) {
        if (steps > 60) throw new Error(`the payment in slot ${slot} is not found`);
        await world.step().catch(() => undefined);
      }
      stepsTaken.push(steps);
    }
    const { status, status_reason } = (await owner.client.get(`/contracts/${busy.contract_id}`)).body as {
      status: string;
      status_reason: string;
    };
    expect(status).toBe("ERROR");
    expect(status_reason).toMatch(/has about \d+ transactions a second, of which the nodes return about \d+/);
    // The first payments wait until the speed of the nodes is known, and no later one waits for the program.
    expect(Math.max(...stepsTaken.slice(3))).toBeLessThanOrEqual(2);

    async function hasSample(target_id: string): Promise<boolean> {
      const rows = await world.h.app.db
        .selectFrom("samples")
        .select("height")
        .where("series_id", "=", target_id)
        .execute();
      return rows.length > 0;
    }
  },
  900_000,
);
