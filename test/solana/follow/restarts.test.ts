import { expect, test } from "vitest";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const txRate = { target_type: "tx_rate", config: {} };

test("a suspended address is caught up and resumes also if the service is restarted every few seconds", async () => {
  const world = await makeSolanaWorld({ clock: fastClock(20), listing: { maxFailingMs: 0 } });
  const { cluster, nodes, owner, h } = world;
  const watched = await world.watch(wallet, txRate);
  const statusOf = async () =>
    ((await owner.client.get(`/contracts/${watched.contract_id}`)).body as Contract).status;
  await world.runUntilIdle();
  nodes[0]?.faults.failing.set(wallet, -32603);
  const missed = {
    ...(await cluster.run([transferSol(cluster.payer, wallet, 5_000_000n)])),
    accounts: [wallet],
  };
  const slot = cluster.produce([missed]);
  for (let steps = 0; steps < 20 && (await statusOf()) === "MONITORING"; steps++) {
    cluster.produce();
    await world.step();
  }
  expect(await statusOf()).toBe("ERROR");
  nodes[0]?.faults.failing.clear();
  h.clock.advance(3_601);
  for (let rounds = 0; rounds < 40 && (await statusOf()) === "ERROR"; rounds++) {
    for (let steps = 0; steps < 5; steps++) {
      cluster.produce([], { skipped: 4 });
      cluster.finalize(cluster.head - 2);
      await world.step();
      await new Promise((done) => setTimeout(done, 5));
    }
    await world.restart();
  }
  expect(await statusOf()).toBe("MONITORING");
  await world.runUntilIdle();
  const samples = h.app.db.selectFrom("samples").select("height").where("series_id", "=", watched.id);
  expect((await samples.execute()).map(({ height }) => Number(height))).toEqual([slot]);
});
