import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const busy = { operator: "gte", threshold: 1, aggregation: "count", window_seconds: 60 };
const counting = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const nowSeconds = () => Math.floor(h.clock.now().getTime() / 1000);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

async function dataFrom(world: World, target_id: string, condition: object, from: number) {
  const to = iso(world.chain.tip.time + 1);
  const request = { target_id, condition, from: iso(from), to };
  const { status, body } = await world.owner.client.post("/alerts/backtest", request);
  expect([status, body]).toMatchObject([200, {}]);
  return (body as { data_from: string | null }).data_from;
}

test("a back-test of several conditions starts when the last of their targets was measured", async () => {
  const world = await freshWorld(h, nowSeconds() - 7200);
  const target_id = await world.watch(counting);
  await world.catchUp();
  const block = world.chain.mine([emits(1)], { time: world.chain.tip.time + 600 });
  world.chain.mine([], { time: block.time + 600 });
  await world.catchUp();
  const from = block.time - 60;
  expect(await dataFrom(world, target_id, busy, from)).toBe(iso(block.time));
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const path = `/contracts/${contract?.id}/targets`;
  const { body } = await world.owner.client.post(path, { target_type: "native_balance" });
  const low = { target_id: (body as { id: string }).id, operator: "lt", threshold: 5 };
  expect(await dataFrom(world, target_id, { ...busy, all: [low] }, from)).toBeNull();
});

test("a back-test of a target whose config was changed starts at the change", async () => {
  const started = nowSeconds();
  const world = await freshWorld(h, started);
  const target_id = await world.watch(counting);
  await world.catchUp();
  world.chain.mine([emits(1)], { time: started + 300 });
  await world.catchUp();
  h.clock.advance(600);
  const frozen = h.clock.freeze();
  const changedAt = nowSeconds();
  const config = { event_signature: "Approval(address,address,uint256)" };
  expect((await world.owner.client.patch(`/targets/${target_id}`, { config })).status).toBe(200);
  frozen.release();
  world.chain.mine([], { time: started + 1200 });
  await world.catchUp();
  expect(await dataFrom(world, target_id, busy, started)).toBe(iso(changedAt));
});
