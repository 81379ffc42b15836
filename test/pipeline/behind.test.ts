import { sql } from "kysely";
import { expect, test } from "vitest";
import { recordHead } from "../../src/store/engine/cursors.ts";
import { harness } from "../support/harness.ts";
import { emits, freshWorld, tokenAddress, transferSignature, type World } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const now = () => Math.floor(h.clock.now().getTime() / 1000);
const each = { operator: "gte", threshold: 1, aggregation: "each" };

/** An engine that is two hours behind a chain with a transfer of an hour ago, whose contract is paused now. */
async function pausedBehind() {
  const world = await freshWorld(h, now() - 60);
  const config = { event_signature: transferSignature };
  await world.rule(await world.watch({ target_type: "event_frequency", config }), each);
  await world.catchUp();
  h.clock.advance(7_200);
  const before = world.chain.mine([emits(1)], { time: now() - 3_600 });
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string; address: string }[];
  const path = `/contracts/${contracts.find(({ address }) => address === tokenAddress)?.id}`;
  expect((await world.owner.client.post(`${path}/pause`)).status).toBe(200);
  world.chain.mine([], { time: now() - 5 });
  return { world, path, before };
}

test("a contract that is paused while the engine is behind is monitored up to the time of the pause", async () => {
  const { world, path, before } = await pausedBehind();
  world.chain.mine([emits(1)], { time: now() + 60 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ block_number: before.height }]);
  await world.owner.client.post(`${path}/resume`);
  await world.catchUp();
  const after = world.chain.mine([emits(1)], { time: now() + 120 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([
    { block_number: after.height },
    { block_number: before.height },
  ]);
});

test("a new engine too monitors a paused contract up to the time of the pause", async () => {
  const { world, before } = await pausedBehind();
  await world.restart();
  world.chain.mine([emits(1)], { time: now() + 60 });
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ block_number: before.height }]);
});

/** The heights at which the balance was read while the engine caught up with blocks of a given time. */
async function readAfter(world: World, blocks: number, secondsPerBlock: number): Promise<number[]> {
  await world.watch({ target_type: "native_balance" }, `0x${"7".repeat(40)}`);
  const [first] = Array.from({ length: blocks }, (_, index) =>
    world.chain.mine([], {
      time: world.chain.tip.time + (index % Math.ceil(1 / secondsPerBlock) ? 0 : Math.ceil(secondsPerBlock)),
    }),
  );
  await world.catchUp();
  const { rows } = await sql<{ height: string }>`
    select height from samples where org_id = ${world.owner.org_id} order by height`.execute(h.app.db);
  return rows.map(({ height }) => Number(height) - (first?.height ?? 0));
}

test("state is read by how many seconds the engine is behind, not by how many blocks", async () => {
  const fast = await freshWorld(h);
  await fast.catchUp();
  expect((await readAfter(fast, 200, 0.25))[0], "200 blocks of a quarter of a second").toBe(0);
  const slow = await freshWorld(h);
  await slow.catchUp();
  const [firstRead = 0] = await readAfter(slow, 200, 12);
  expect(firstRead, "200 blocks of twelve seconds").toBe(200 - 1 - 64);
});

test("the status of a chain whose blocks are processed late says how far it is behind, and a warning lasts until it has caught up", async () => {
  const world = await freshWorld(h, now() - 7_200);
  await world.watch({ target_type: "tx_rate" });
  await world.catchUp();
  const chainAlerts = async () =>
    (await world.events()).filter(({ explanation }) => explanation.reason === "chain_late");
  const status = async () =>
    ((await world.owner.client.get("/chains")).body as { chain: string }[]).find(
      ({ chain }) => chain === "local",
    );
  await recordHead(h.app.db, "local", {
    head_height: world.chain.tip.height + 5_000,
    head_seen_at: h.clock.now(),
    last_error: null,
  });
  await h.runJobs();
  const reason = "Processing is 5,000 blocks and 2 h behind the nodes and is catching up.";
  expect(await status()).toMatchObject({ state: "lagging", status_reason: reason });
  expect(await chainAlerts()).toMatchObject([
    { status: "firing", severity: "warning", message: expect.stringContaining(reason) },
  ]);
  world.chain.mine([], { time: now() });
  await world.catchUp();
  await h.runJobs();
  expect(await status()).toMatchObject({ state: "live", status_reason: null });
  expect(await chainAlerts()).toMatchObject([{ status: "resolved" }]);
});
