import { expect, test } from "vitest";
import { chainOf } from "../../../src/chains/index.ts";
import { acquireLease, moveCursor, recordHead } from "../../../src/store/engine/cursors.ts";
import type { ChainInfo } from "../../../src/wire/contracts/contracts.ts";
import { harness } from "../../support/harness.ts";
import { freshId } from "./contract-steps.ts";

const h = await harness();
const client = h.anonymous();

const listed = async () => (await client.get("/chains")).body as ChainInfo[];
const find = async (chain: string) => (await listed()).find((one) => one.chain === chain);

/** Moves the cursor of a chain to a block of this age, as the engine does. */
async function follow(chain: string, ageSeconds: number, height = 100): Promise<void> {
  const lease = await acquireLease(h.app.db, chain, freshId(), 0);
  const time = Math.round(h.clock.now().getTime() / 1000) - ageSeconds;
  await moveCursor(h.app.db, chain, { height, hash: "0x01", time }, lease ?? { fence: 0 }, h.clock.now());
}

test("anonymous callers can list the enabled chains", async () => {
  const chains = await listed();
  expect(chains.map((one) => one.chain).sort()).toEqual(["ethereum", "local"]);
  expect(chains.find((one) => one.chain === "ethereum")).toEqual({
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
  ["local", 0, "live"],
  ["local", 59, "live"],
  ["local", 62, "stalled"],
  ["ethereum", 110, "live"],
  ["ethereum", 130, "lagging"],
  ["ethereum", 590, "lagging"],
  ["ethereum", 610, "stalled"],
])("the chain %s is, at a lag of %d seconds, %s", async (chain, age, state) => {
  const frozen = h.clock.freeze();
  await follow(chain, age);
  const info = await find(chain);
  frozen.release();
  expect(info).toMatchObject({ state, head_block: 100 });
  expect(Math.abs((info?.lag_seconds ?? 0) - age)).toBeLessThanOrEqual(1);
});

test("the head block of a chain is the one its nodes report, once reported", async () => {
  await follow("ethereum", 0, 200);
  await recordHead(h.app.db, "ethereum", { head_height: 205, head_seen_at: h.clock.now() });
  expect(await find("ethereum")).toMatchObject({ head_block: 205 });
});

test("the lag of a chain is zero for a block time in the future", async () => {
  await follow("ethereum", -30);
  expect(await find("ethereum")).toMatchObject({ lag_seconds: 0, state: "live" });
});
