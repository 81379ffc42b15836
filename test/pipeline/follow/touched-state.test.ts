import { expect, test } from "vitest";
import { harness } from "../../support/harness.ts";
import { emits, freshWorld } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const oneEther = 10n ** 18n;

/** A balance that is read once an hour, after its first reading. */
async function slowWorld() {
  const world = await freshWorld(h);
  const settings = `/orgs/${world.owner.org_id}/settings`;
  const setInterval = (seconds: number) =>
    world.owner.client.patch(settings, { polling_interval_seconds: seconds });
  await setInterval(3600);
  const target_id = await world.watch({ target_type: "native_balance" });
  await world.catchUp();
  const samples = async () =>
    (
      await h.app.db
        .selectFrom("samples")
        .select(["height", "value"])
        .where("series_id", "=", target_id)
        .orderBy("height")
        .execute()
    ).map(({ height, value }) => [Number(height), value]);
  const mine = async (balance: bigint, ...transactions: Parameters<typeof world.chain.mine>) => {
    world.chain.balance = balance * oneEther;
    const { height } = world.chain.mine(...transactions);
    await world.catchUp();
    return height;
  };
  return { ...world, target_id, samples, mine, setInterval };
}

test("state is read when a block touches its contract, without waiting for the interval", async () => {
  const world = await slowWorld();
  const first = await world.mine(5n);
  const quiet = await world.mine(6n);
  const touched = await world.mine(7n, [emits(1)]);
  expect(await world.samples()).toEqual([
    [first, 5],
    [touched, 7],
  ]);
  expect(quiet).toBe(first + 1);
});

test("state of a contract that is active in every block is read at most every two seconds", async () => {
  const world = await slowWorld();
  const first = await world.mine(1n);
  const at = world.chain.tip.time;
  await world.mine(2n, [emits(1)], { time: at + 1 });
  await world.mine(3n, [emits(1)], { time: at + 1 });
  const later = await world.mine(4n, [], { time: at + 2 });
  expect(await world.samples()).toEqual([
    [first, 1],
    [later, 4],
  ]);
});

test("a target whose reads fail is not retried sooner because its contract is active", async () => {
  const world = await slowWorld();
  await world.mine(1n);
  world.chain.failure = "The node is busy.";
  let reads = 0;
  const { read } = world.chain;
  world.chain.read = (...given) => {
    reads += 1;
    return read.apply(world.chain, given);
  };
  for (let block = 0; block < 5; block++)
    await world.mine(2n, [emits(1)], { time: world.chain.tip.time + 2 });
  expect(reads).toBe(1);
});

test("state is read at the next block after its interval changed", async () => {
  const world = await slowWorld();
  const first = await world.mine(5n);
  await world.setInterval(1800);
  const next = await world.mine(6n);
  await world.mine(7n);
  expect(await world.samples()).toEqual([
    [first, 5],
    [next, 6],
  ]);
});

test("state is read at the next block after the config of its target changed", async () => {
  const world = await slowWorld();
  const view = { target_type: "view_function", config: { signature: "total() view returns (uint256)" } };
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const created = await world.owner.client.post(`/contracts/${contracts[0]?.id}/targets`, view);
  const { id } = created.body as { id: string };
  const lastValueOf = async () => {
    const row = await h.app.db
      .selectFrom("targets")
      .select("last_value")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.last_value;
  };
  world.chain.read = async (reads) => reads.map(() => ({ ok: true, data: `0x${"0".repeat(62)}64` }));
  await world.mine(1n);
  expect(await lastValueOf()).toBe(100);
  await world.owner.client.patch(`/targets/${id}`, { config: { ...view.config, decimals: 1 } });
  await world.mine(1n);
  expect(await lastValueOf()).toBe(10);
});
