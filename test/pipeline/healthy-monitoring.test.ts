import { expect, test } from "vitest";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { harness } from "../support/harness.ts";
import { emits, makeWorld, tokenAddress, transfers } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1", STAFF_EMAIL: "staff@example.com" } });

test("contracts, wallets and tokens that are read without a failure raise no system alert, and have no problem in their status", async () => {
  const world = await makeWorld({ harness: h });
  const wallet = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
  const large = { target_type: "large_transfer", config: { token: tokenAddress, decimals: 18 } };
  await world.watch(transfers);
  await world.watch(large, wallet);
  await world.watch({ target_type: "native_balance" }, "0x00000000000000000000000000000000000000aa");
  // Searches that fail are reported after a minute, and silent targets after an hour.
  for (let minute = 0; minute < 70; minute += 1) {
    h.clock.advance(60);
    world.chain.mine([emits(1)], { time: Math.floor(h.clock.now().getTime() / 1000) });
    await world.catchUp();
  }
  await h.runJobs();
  expect((await world.events()).map(({ title }) => title)).toEqual([]);
  const contracts = (await world.owner.client.get("/contracts")).body as Contract[];
  expect(contracts.map(({ status, status_reason }) => [status, status_reason])).toEqual(
    contracts.map(() => ["MONITORING", null]),
  );
});
