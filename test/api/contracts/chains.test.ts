import { expect, test } from "vitest";
import { chainOf } from "../../../src/chains/index.ts";
import { dayOf } from "../../../src/chains/rpc/call-counter.ts";
import { acquireLease, moveCursor, recordHead } from "../../../src/store/engine/cursors.ts";
import { addRpcCalls } from "../../../src/store/engine/rpc-calls.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import { harness } from "../../support/harness.ts";
import { freshId } from "./contract-steps.ts";

const h = await harness();
const client = h.anonymous();

const listed = async () => (await client.get("/chains")).body as ChainInfo[];
const find = async (chain: string) => (await listed()).find((one) => one.chain === chain);

/** Moves the cursor of a chain to a block of this age, as the engine does. */
async function follow(chain: string, ageSeconds: number, height = 100, hash = "0x01"): Promise<void> {
  const lease = await acquireLease(h.app.db, chain, freshId(), 0);
  const time = Math.round(h.clock.now().getTime() / 1000) - ageSeconds;
  await moveCursor(h.app.db, chain, { height, hash, time }, lease ?? { fence: 0 }, h.clock.now());
}

test("anonymous callers can list the enabled chains", async () => {
  const chains = await listed();
  expect(chains.map((chain) => chain.chain).sort()).toEqual(["ethereum", "local"]);
  expect(chains.find((chain) => chain.chain === "ethereum")).toEqual({
    chain: "ethereum",
    chain_id: 1,
    name: "Ethereum",
    kind: "evm",
    native_currency: { name: "Ether", symbol: "ETH", decimals: 18 },
    explorer_url: "https://etherscan.io",
    block_time_ms: 12_000,
    finality_depth: chainOf("ethereum")?.finality_depth,
    is_testnet: false,
    state: "off",
    head_block: null,
    lag_seconds: null,
    last_block_at: null,
    status_reason: null,
    reading: null,
    gaps: [],
  });
});

test("the chain list does not reveal RPC URLs", async () => {
  expect((await client.get("/chains")).text).not.toMatch(/127\.0\.0\.1|multicall/);
});

test("a chain that staff disable is not listed and rejects contracts until it is enabled", async () => {
  const staff = await h.staff();
  await staff.patch("/admin/chains/local", { is_enabled: false });
  expect(await find("local")).toBeUndefined();
  const owner = await h.person();
  const reply = await owner.client.post("/contracts", { chain: "local", address: `0x${"1".repeat(40)}` });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "chain"] }] } });
  await staff.patch("/admin/chains/local", { is_enabled: true });
  expect(await find("local")).toMatchObject({ chain_id: 31337, is_testnet: true });
});

test.each([
  // chain, blocks behind, seconds since it moved, seconds since a node replied, state
  ["local", 0, 0, 0, "live"],
  ["local", 0, 100_000, 0, "live"],
  ["local", 60, 0, 0, "live"],
  ["local", 61, 0, 0, "lagging"],
  ["local", 61, 62, 0, "stalled"],
  ["local", 0, 62, 62, "stalled"],
  ["ethereum", 10, 5_000, 0, "live"],
  ["ethereum", 11, 590, 0, "lagging"],
  ["ethereum", 11, 610, 0, "stalled"],
  ["ethereum", 0, 590, 590, "live"],
  ["ethereum", 0, 610, 610, "stalled"],
])(
  "the chain %s, %d blocks behind, %d s after it moved and %d s after a node replied, is %s",
  async (chain, behind, moved, replied, state) => {
    const frozen = h.clock.freeze();
    await follow(chain, 0, 100, freshId());
    h.clock.advance(moved - replied);
    const head_seen_at = h.clock.now();
    await recordHead(h.app.db, chain, { head_height: 100 + behind, head_seen_at, last_error: null });
    h.clock.advance(replied);
    const info = await find(chain);
    frozen.release();
    expect(info).toMatchObject({ state, head_block: 100 + behind });
    const isAtHead = behind === 0 && state === "live";
    expect(Math.abs((info?.lag_seconds ?? -10) - (isAtHead ? 0 : moved))).toBeLessThanOrEqual(1);
    expect(info?.last_block_at).toMatch(/Z$/);
  },
);

test("the list of chains shows what is read of a chain and the calls by method, with endpoints by number", async () => {
  await follow("ethereum", 0, 200, freshId());
  const reading = { plan: "logs" as const, poll_seconds: 12, calls_per_day: 16_800.4, is_slowed: false };
  await recordHead(h.app.db, "ethereum", { reading });
  const today = dayOf(h.clock.now());
  const yesterday = dayOf(new Date(h.clock.now().getTime() - 86_400_000));
  const call = { endpoint: 1, host: "private.example.com", method: "eth_getLogs" };
  await addRpcCalls(h.app.db, "ethereum", [{ ...call, day: yesterday, calls: 7 }]);
  await addRpcCalls(h.app.db, "ethereum", [{ ...call, day: today, calls: 2 }]);
  await addRpcCalls(h.app.db, "ethereum", [{ ...call, day: today, calls: 3 }]);
  expect((await find("ethereum"))?.reading).toEqual({
    ...{ plan: "logs", poll_seconds: 12, is_slowed: false, calls_per_day_estimate: 16_800 },
    calls_per_day_budget: null,
    calls: [{ endpoint: 1, method: "eth_getLogs", today: 5, yesterday: 7 }],
  });
  expect((await client.get("/chains")).text).not.toContain("private.example.com");
});

test("a chain that is polled once a minute is live between two polls", async () => {
  const frozen = h.clock.freeze();
  await follow("local", 0, 100, freshId());
  const reading = { plan: "nothing" as const, poll_seconds: 60, calls_per_day: 2880, is_slowed: false };
  await recordHead(h.app.db, "local", { head_height: 100, head_seen_at: h.clock.now(), reading });
  h.clock.advance(170);
  expect(await find("local")).toMatchObject({ state: "live" });
  h.clock.advance(20);
  expect(await find("local")).toMatchObject({ state: "stalled" });
  frozen.release();
});

test("the status of a chain says in a sentence what is wrong with its nodes, without naming them", async () => {
  await follow("ethereum", 0, 200, freshId());
  const sentence = "The chain could not be read: a node asks to slow down.";
  await recordHead(h.app.db, "ethereum", { last_error: sentence });
  expect(await find("ethereum")).toMatchObject({ status_reason: sentence });
});

test("the head block of a chain is the one its nodes report, once reported", async () => {
  await follow("ethereum", 0, 200);
  await recordHead(h.app.db, "ethereum", { head_height: 205, head_seen_at: h.clock.now() });
  expect(await find("ethereum")).toMatchObject({ head_block: 205 });
});

test("the lag of a chain is zero for a block time in the future", async () => {
  await follow("ethereum", -30, 300);
  expect(await find("ethereum")).toMatchObject({ lag_seconds: 0, state: "live" });
});
