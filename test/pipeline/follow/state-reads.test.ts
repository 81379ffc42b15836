import { expect, test } from "vitest";
import type { Read, ReadResult } from "../../../src/chains/block.ts";
import { ChainError } from "../../../src/chains/reader.ts";
import { harness, type Person } from "../../support/harness.ts";
import { emits, freshWorld, transferSignature } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
// The engine waits a little for reads. Here none settles unless a test makes it, so that the waits can be short.
const { sleep } = h.clock;
h.clock.sleep = (ms, signal) => sleep(ms / 50, signal);
const otherAddress = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const atLeastOne = { operator: "gte", threshold: 1, window_seconds: 60 };
const rich = { operator: "gte", threshold: 1, aggregation: "last", window_seconds: 3600 };

type Held = { reads: Read[]; height: number; settle(value: bigint | "fail" | ChainError): void };

/** A world with a counted token and a balance elsewhere, whose state reads settle when the test says so. */
async function worldWithHeldReads(
  state: { target_type: string; config?: object } = { target_type: "native_balance" },
) {
  const world = await freshWorld(h);
  await world.rule(await world.watch(transfers), atLeastOne);
  const balance = await world.watch(state, otherAddress);
  await world.catchUp();
  world.chain.mine();
  await world.catchUp();
  const held: Held[] = [];
  world.chain.read = (reads, { height }) =>
    new Promise<ReadResult[]>((resolve, reject) => {
      const settle: Held["settle"] = (value) => {
        if (value instanceof ChainError) return reject(value);
        resolve(
          reads.map(() =>
            value === "fail"
              ? { ok: false, code: "timed_out", problem: "The node timed out." }
              : { ok: true, data: `0x${value.toString(16).padStart(64, "0")}` },
          ),
        );
      };
      held.push({ reads, height, settle });
    });
  const samples = async () =>
    (
      await h.app.db
        .selectFrom("samples")
        .select(["height", "value"])
        .where("series_id", "=", balance)
        .orderBy("height")
        .execute()
    ).map(({ height, value }) => [Number(height), value]);
  const target = () =>
    h.app.db.selectFrom("targets").selectAll().where("id", "=", balance).executeTakeFirstOrThrow();
  /** Mines a block in which the balance is due. */
  const mineDue = (...scripted: Parameters<typeof world.chain.mine>) => {
    const [transactions, options] = scripted;
    return world.chain.mine(transactions, { time: world.chain.tip.time + 400, ...options });
  };
  return { ...world, held, samples, target, balance, mineDue };
}

const oneEther = 10n ** 18n;

/** Has the balance read at a block, and the reading applied at the next one. Returns the block of the reading. */
async function readLate(world: Awaited<ReturnType<typeof worldWithHeldReads>>) {
  const read = world.mineDue();
  await world.catchUp();
  world.chain.mine();
  await world.catchUp();
  world.held[0]?.settle(oneEther);
  await world.catchUp();
  return read;
}

const setInterval = ({ owner }: { owner: Person }, polling_interval_seconds: number) =>
  owner.client.patch(`/orgs/${owner.org_id}/settings`, { polling_interval_seconds });

test("reads that never settle delay no block and no alert", async () => {
  const world = await worldWithHeldReads();
  for (let blocks = 0; blocks < 5; blocks++) {
    world.mineDue();
    const block = world.mineDue([emits(1)]);
    await world.catchUp();
    expect((await world.events())[0]).toMatchObject({ status: "firing", block_number: block.height });
    world.mineDue();
    await world.catchUp();
  }
  expect(world.held).toHaveLength(1);
});

test("a late reading is dated at the block at which it was read, also when there is no new block", async () => {
  const world = await worldWithHeldReads();
  await world.rule(world.balance, rich);
  const block = world.mineDue();
  await world.catchUp();
  world.held[0]?.settle(oneEther);
  expect(await world.step()).toBe("measured");
  expect(await world.samples()).toContainEqual([block.height, 1]);
  expect((await world.events())[0]).toMatchObject({ status: "firing", value: 1, block_number: block.height });
  expect(await world.step()).toBe("idle");
});

test("a late reading is applied with the next block, at its own height", async () => {
  const world = await worldWithHeldReads();
  const block = world.mineDue();
  await world.catchUp();
  world.held[0]?.settle(oneEther);
  world.chain.mine();
  await world.catchUp();
  expect(await world.samples()).toContainEqual([block.height, 1]);
});

test("an alert on a late reading explains it by that reading", async () => {
  const world = await worldWithHeldReads({ target_type: "storage_slot", config: { slot: "0x0" } });
  await world.rule(world.balance, rich);
  world.mineDue();
  await world.catchUp();
  world.held[0]?.settle(7n);
  const next = world.chain.mine();
  await world.catchUp();
  const [event] = await world.events();
  expect(event).toMatchObject({
    status: "firing",
    block_number: next.height,
    explanation: { evidence: { state: `0x${"7".padStart(64, "0")}` } },
  });
});

test.each(["the same engine", "an engine that was started since"])(
  "%s fires on a late reading again when the blocks after the reading are replaced",
  async (engine) => {
    const world = await worldWithHeldReads();
    await world.rule(world.balance, rich);
    const read = await readLate(world);
    expect(await world.events()).toMatchObject([{ status: "firing", block_number: read.height + 1 }]);
    if (engine !== "the same engine") await world.restart();
    const replacement = world.chain.mine([], { on: read, salt: 1 });
    world.chain.mine();
    await world.catchUp();
    expect(await world.events()).toMatchObject([
      { status: "firing", value: 1, block_hash: replacement.hash },
    ]);
  },
);

test("a rule that fires, resolves and fires again at the same block time has two events", async () => {
  const world = await worldWithHeldReads();
  await world.rule(world.balance, rich);
  const time = world.mineDue().time + 10;
  await world.catchUp();
  const mineAndSettle = async (balance: bigint) => {
    world.chain.mine([], { time });
    await world.catchUp();
    world.held.at(-1)?.settle(balance);
    await world.catchUp();
  };
  await mineAndSettle(oneEther);
  for (const [balance, seconds] of [[0n, 300] as const, [oneEther, 301] as const]) {
    // After a restart, another interval has the balance read at once.
    await world.restart();
    await setInterval(world, seconds);
    await mineAndSettle(balance);
  }
  const events = await world.events();
  expect(events.map(({ status }) => status).sort()).toEqual(["firing", "resolved"]);
  expect(new Set(events.map(({ fired_at }) => fired_at)).size).toBe(1);
  expect((await world.notices()).filter(({ kind }) => kind === "fired")).toHaveLength(2);
});

test("a reading that is late by more than the window of its rule still fires the rule", async () => {
  const world = await worldWithHeldReads();
  await world.rule(world.balance, { ...rich, window_seconds: 60 });
  world.mineDue();
  await world.catchUp();
  const late = world.mineDue();
  await world.catchUp();
  world.held[0]?.settle(oneEther);
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ status: "firing", value: 1, block_number: late.height }]);
});

test("the cooldown after a change that was read late outlasts the replacement of later blocks", async () => {
  const world = await worldWithHeldReads();
  const changes = { operator: "changed", aggregation: "each" };
  await world.rule(world.balance, changes, { cooldown_seconds: 86_400 });
  const read = await readLate(world);
  world.mineDue([], { on: read, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  world.held.at(-1)?.settle(2n * oneEther);
  await world.catchUp();
  expect(await world.events()).toHaveLength(2);
  expect(await world.notices()).toHaveLength(1);
});

test("a failed read shows in the status of its target only, and is tried again", async () => {
  const world = await worldWithHeldReads();
  world.mineDue();
  await world.catchUp();
  world.held[0]?.settle("fail");
  world.mineDue();
  await world.catchUp();
  expect(await world.target()).toMatchObject({
    status: "error",
    status_code: "read_failed",
    status_reason: expect.stringContaining("The node timed out."),
  });
  expect(world.held).toHaveLength(1);
  world.mineDue();
  await world.catchUp();
  expect(world.held).toHaveLength(2);
  world.held[1]?.settle(oneEther);
  await world.catchUp();
  expect(await world.target()).toMatchObject({ status: "ok", status_reason: null });
});

test("a read at a block that a reorganisation replaced is discarded and repeated", async () => {
  const world = await worldWithHeldReads();
  const base = world.chain.tip;
  const block = world.mineDue();
  await world.catchUp();
  world.mineDue([], { on: base, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  world.held[0]?.settle(5n * oneEther);
  world.held.at(-1)?.settle(oneEther);
  await world.catchUp();
  expect(await world.samples()).not.toContainEqual([block.height, 5]);
  expect((await world.samples()).at(-1)).toEqual([world.held.at(-1)?.height, 1]);
});

test("a block that was replaced while state was read is no failure of the target", async () => {
  const world = await worldWithHeldReads();
  world.mineDue();
  await world.catchUp();
  world.held[0]?.settle(new ChainError("Block 102 was replaced by a reorg while it was read.", "replaced"));
  world.chain.mine();
  await world.catchUp();
  expect((await world.target()).status).not.toBe("error");
  world.chain.mine();
  await world.catchUp();
  expect(world.held).toHaveLength(2);
});

test("targets whose reads failed together are read one by one, so that one cannot fail the others again", async () => {
  const world = await worldWithHeldReads();
  const read = world.chain.read.bind(world.chain);
  world.chain.read = async (reads) => reads.map(() => ({ ok: true, data: "0x" }));
  await world.watch({ target_type: "native_balance" }, "0x00000000000000000000000000000000000000AA");
  world.mineDue();
  await world.catchUp();
  world.chain.read = read;
  world.mineDue();
  await world.catchUp();
  expect(world.held.map(({ reads }) => reads.length)).toEqual([2]);
  world.held.pop()?.settle("fail");
  world.mineDue();
  await world.catchUp();
  world.mineDue();
  await world.catchUp();
  expect(world.held.map(({ reads }) => reads.length)).toEqual([1, 1]);
});
