import { pad, parseEther, toHex } from "viem";
import { expect, test } from "vitest";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner, friend] = node.accounts as [`0x${string}`, `0x${string}`];

const units = (amount: number) => BigInt(amount) * 10n ** 6n;
const makeToken = () => node.deploy("Token", units(1_000_000));

test("a token balance uses the token's decimals and fires when it falls below the threshold", async () => {
  const token = await makeToken();
  const desk = await node.deploy("Desk");
  await token.send("transfer", [desk.address, units(100)]);
  const target = { target_type: "token_balance", config: { token: token.address, holder: owner } };
  const rule = await world.watch(desk, target, { operator: "lt", threshold: 999_000.5 });
  await world.mineAfterPollInterval();
  expect(await world.target(rule)).toMatchObject({ status: "ok", last_value: 999_900 });
  await node.wait(pollSeconds);
  await token.send("transfer", [friend, units(900)]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    { value: 999_000, explanation: { evidence: { balance: "999000000000", decimals: 6 } } },
  ]);
});

test("a growing token supply fires by percentage", async () => {
  const token = await makeToken();
  const rule = await world.watch(
    token,
    { target_type: "token_supply" },
    { operator: "change_pct_gt", threshold: 9 },
  );
  await world.mineAfterPollInterval();
  expect((await world.target(rule)).last_value).toBe(1_000_000);
  await node.wait(pollSeconds);
  await token.send("mint", [friend, units(100_000)]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 10 }]);
});

test("a native balance fires when it falls and resolves when it is refilled", async () => {
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  const rule = await world.watch(
    desk,
    { target_type: "native_balance" },
    { operator: "lt", threshold: 1, window_seconds: 60 },
  );
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toEqual([]);
  await node.wait(pollSeconds);
  await desk.send("pay", [friend, parseEther("4.5")]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 0.5, status: "firing" }]);
  await node.wait(pollSeconds);
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 0.5, status: "resolved" }]);
  expect(await world.notices(rule)).toEqual(["fired", "resolved"]);
});

test("the result of a view function is measured with its arguments", async () => {
  const token = await makeToken();
  const config = {
    signature: "allowance(address,address) returns (uint256)",
    args: [owner, friend],
    decimals: 6,
  };
  const rule = await world.watch(
    token,
    { target_type: "view_function", config },
    { operator: "gt", threshold: 50 },
  );
  await world.mineAfterPollInterval();
  expect((await world.target(rule)).last_value).toBe(0);
  await node.wait(pollSeconds);
  await token.send("approve", [friend, units(51)]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 51 }]);
});

test("an integer beyond 2^53 is also shown as exact text", async () => {
  const token = await makeToken();
  const amount = 10n ** 24n + 1n;
  await token.send("approve", [friend, amount]);
  const config = { signature: "allowance(address,address) returns (uint256)", args: [owner, friend] };
  const rule = await world.watch(token, { target_type: "view_function", config }, { operator: "changed" });
  await world.mineAfterPollInterval();
  const shown = { last_value: 1e24, last_value_exact: "1000000000000000000000001" };
  const target = await world.target(rule);
  expect(target).toMatchObject(shown);
  expect((await world.owner.client.get(`/targets/${target.id}`)).body).toMatchObject(shown);
  await token.send("approve", [friend, 7n]);
  await world.mineAfterPollInterval();
  expect(await world.target(rule)).toMatchObject({ last_value: 7, last_value_exact: null });
});

test("each change of a setting is an event of its own, also right after another", async () => {
  const token = await makeToken();
  const config = { signature: "allowance(address,address) returns (uint256)", args: [owner, friend] };
  const rule = await world.watch(token, { target_type: "view_function", config }, { operator: "changed" });
  await world.mineAfterPollInterval();
  for (const amount of [5n, 9n]) {
    await token.send("approve", [friend, amount]);
    await world.mineAfterPollInterval();
  }
  expect((await world.events(rule)).reverse()).toMatchObject([
    { status: "occurred", value: 5 },
    { status: "occurred", value: 9 },
  ]);
});

test("a view function that reverts is reported on its target", async () => {
  const desk = await node.deploy("Desk");
  const config = { signature: "close(uint256 order)", args: ["1"] };
  const rule = await world.watch(desk, { target_type: "view_function", config }, { operator: "changed" });
  await world.mineAfterPollInterval();
  expect(await world.target(rule)).toMatchObject({ status: "error", last_value: null });
  const { status_reason, contract_id } = await world.target(rule);
  expect(status_reason).toMatch(/^close\(\) could not be read: /);
  await world.owner.client.delete(`/contracts/${contract_id}`);
});

test("a storage slot that changes without a transaction fires", async () => {
  const desk = await node.deploy("Desk");
  const config = { slot: "0x2a", as: "address" };
  const rule = await world.watch(desk, { target_type: "storage_slot", config }, { operator: "changed" });
  await world.mineAfterPollInterval();
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toEqual([]);
  await node.client.setStorageAt({
    address: desk.address,
    index: toHex(42, { size: 32 }),
    value: pad(friend),
  });
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toMatchObject([
    { value: 1, explanation: { evidence: { address: friend, previous_state: pad("0x0") } } },
  ]);
});

test("an oracle's price is scaled by its decimals and evaluated", async () => {
  const feed = await node.deploy("Feed", 2000_00000000n);
  const rule = await world.watch(
    feed,
    { target_type: "oracle_price" },
    { operator: "outside", threshold: 1900, threshold_high: 2100 },
  );
  await world.mineAfterPollInterval();
  expect((await world.target(rule)).last_value).toBe(2000);
  await node.wait(pollSeconds);
  await feed.send("set", [1899_99000000n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 1899.99 }]);
});

test("the age of an oracle that is not updated grows with block time", async () => {
  const feed = await node.deploy("Feed", 1n);
  const target = { target_type: "oracle_staleness", config: { heartbeat_seconds: 600 } };
  const rule = await world.watch(feed, target, { operator: "gt", threshold: 600, window_seconds: 60 });
  await world.mineAfterPollInterval();
  await node.wait(500);
  await node.mine();
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  await node.wait(100);
  await node.mine();
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "firing" }]);
  await node.wait(100);
  await feed.send("set", [2n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "resolved" }]);
});
