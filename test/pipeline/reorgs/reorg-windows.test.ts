import { expect, test } from "vitest";
import type { Block } from "../../../src/chains/block.ts";
import { harness } from "../../support/harness.ts";
import type { Scripted } from "../scripted-chain.ts";
import { emits, freshWorld, transferSignature } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };

/** A world with one rule: at least this many transfers within a minute. */
async function watching(threshold: number) {
  await h.app.db.deleteFrom("samples").execute();
  const world = await freshWorld(h);
  const condition = { operator: "gte", threshold, window_seconds: 60 };
  await world.rule(await world.watch(transfers), condition);
  await world.catchUp();
  const statuses = async () => (await world.events()).map(({ status }) => status);
  /** Mines a block this many seconds after its parent, and follows it. */
  const follow = async (seconds: number, transactions: Scripted[] = [], on?: Block) => {
    const parent = on ?? world.chain.tip;
    const block = world.chain.mine(transactions, { on: parent, time: parent.time + seconds, salt: salt++ });
    await world.catchUp();
    return block;
  };
  return { ...world, statuses, follow };
}

let salt = 1;
const upgrade = (): Scripted => ({ ...emits(), upgradesTo: "0x00000000000000000000000000000000000a11ce" });

test("an upgrade on a new branch does not bring back the readings of the old one", async () => {
  const { chain, catchUp, follow, statuses } = await watching(2);
  const ancestor = await follow(12);
  await follow(12, [emits(1)]);
  chain.mine([], { on: ancestor });
  chain.mine([upgrade()]);
  await catchUp();
  await follow(12, [emits(1)]);
  expect(await statuses()).toEqual([]);
});

test("a rule resolves on time after two reorganisations in a row, the second one deeper", async () => {
  const { follow, statuses } = await watching(1);
  await follow(12, [emits(1)]);
  const firing = await follow(12);
  const resolving = await follow(70);
  expect(await statuses()).toEqual(["resolved"]);
  const again = await follow(1, [emits(1)]);
  expect(await statuses()).toEqual(["firing", "resolved"]);
  await follow(again.time - resolving.time, [], resolving);
  await follow(70, [], firing);
  await follow(12);
  expect(await statuses()).toEqual(["retracted", "resolved"]);
});

test("a reorganisation to before a long gap between blocks finds the whole window of that time", async () => {
  const { follow, statuses } = await watching(71);
  const before = await follow(12, [emits(...Array.from({ length: 70 }, () => 1))]);
  await follow(3600, [emits(1)]);
  expect(await statuses()).toEqual([]);
  await follow(12, [emits(1)], before);
  expect(await statuses()).toEqual(["firing"]);
});
