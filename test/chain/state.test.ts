import { encodeFunctionData, pad, parseEther, toHex } from "viem";
import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner, friend] = node.accounts as [`0x${string}`, `0x${string}`];

const units = (amount: number) => BigInt(amount) * 10n ** 6n;
const makeToken = () => node.deploy("Token", units(1_000_000));

test("a token balance is read with the token's own decimals and judged when it falls", async () => {
  const token = await makeToken();
  const desk = await node.deploy("Desk");
  await token.send("transfer", [desk.address, units(100)]);
  const target = { target_type: "token_balance", config: { token: token.address, holder: owner } };
  const rule = await world.watch(desk, target, { operator: "lt", threshold: 999_000.5 });
  await world.look();
  expect(await world.target(rule)).toMatchObject({ status: "ok", last_value: 999_900 });
  await node.wait(pollSeconds);
  await token.send("transfer", [friend, units(900)]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([
    { value: 999_000, explanation: { evidence: { balance: "999000000000", decimals: 6 } } },
  ]);
});

test("a token's supply is seen to grow by percent", async () => {
  const token = await makeToken();
  const rule = await world.watch(
    token,
    { target_type: "token_supply" },
    { operator: "change_pct_gt", threshold: 9 },
  );
  await world.look();
  expect((await world.target(rule)).last_value).toBe(1_000_000);
  await node.wait(pollSeconds);
  await token.send("mint", [friend, units(100_000)]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ value: 10 }]);
});

test("a native balance that a contract pays out of is noticed, and that it is filled again", async () => {
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  const rule = await world.watch(
    desk,
    { target_type: "native_balance" },
    { operator: "lt", threshold: 1, window_seconds: 60 },
  );
  await world.look();
  expect(await world.events(rule)).toEqual([]);
  await node.wait(pollSeconds);
  await desk.send("pay", [friend, parseEther("4.5")]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ value: 0.5, status: "firing" }]);
  await node.wait(pollSeconds);
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ value: 0.5, status: "resolved" }]);
  expect(await world.notices(rule)).toEqual(["fired", "resolved"]);
});

test("what a view function returns for its arguments is followed", async () => {
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
  await world.look();
  expect((await world.target(rule)).last_value).toBe(0);
  await node.wait(pollSeconds);
  await token.send("approve", [friend, units(51)]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ value: 51 }]);
});

test("a function that reverts is a problem of its own target, in words", async () => {
  const desk = await node.deploy("Desk");
  const config = { signature: "owner() returns (address)" };
  const rule = await world.watch(desk, { target_type: "view_function", config }, { operator: "changed" });
  await world.look();
  expect(await world.target(rule)).toMatchObject({ status: "error", last_value: null });
  expect((await world.target(rule)).status_reason).toMatch(/^owner\(\) could not be read: /);
});

test("a storage slot that changes without any transaction is noticed", async () => {
  const desk = await node.deploy("Desk");
  const config = { slot: "0x2a", as: "address" };
  const rule = await world.watch(desk, { target_type: "storage_slot", config }, { operator: "changed" });
  await world.look();
  await world.look();
  expect(await world.events(rule)).toEqual([]);
  await node.client.setStorageAt({ address: desk.address, index: toHex(42, { size: 32 }), value: pad(friend) });
  await world.look();
  expect(await world.events(rule)).toMatchObject([
    { value: 1, explanation: { evidence: { address: friend, previous_state: pad("0x0") } } },
  ]);
});

test("an oracle's price is scaled by its decimals and judged", async () => {
  const feed = await node.deploy("Feed", 2000_00000000n);
  const rule = await world.watch(
    feed,
    { target_type: "oracle_price" },
    { operator: "outside", threshold: 1900, threshold_high: 2100 },
  );
  await world.look();
  expect((await world.target(rule)).last_value).toBe(2000);
  await node.wait(pollSeconds);
  await feed.send("set", [1899_99000000n]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ value: 1899.99 }]);
});

test("an oracle that nobody updates grows old by block time", async () => {
  const feed = await node.deploy("Feed", 1n);
  const target = { target_type: "oracle_staleness", config: { heartbeat_seconds: 600 } };
  const rule = await world.watch(feed, target, { operator: "gt", threshold: 600, window_seconds: 60 });
  await world.look();
  await node.wait(500);
  await node.mine();
  await world.settle();
  expect(await world.events(rule)).toEqual([]);
  await node.wait(100);
  await node.mine();
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ status: "firing" }]);
  await node.wait(100);
  await feed.send("set", [2n]);
  await world.settle();
  expect(await world.events(rule)).toMatchObject([{ status: "resolved" }]);
});

test("while catching up each block is read as it was then, not as it is now", async () => {
  const token = await makeToken();
  const rule = await world.watch(
    token,
    { target_type: "token_supply" },
    { operator: "gt", threshold: 0, aggregation: "count" },
  );
  for (let mints = 0; mints < 4; mints++) {
    await node.wait(pollSeconds);
    await token.send("mint", [friend, units(1)]);
  }
  await world.settle();
  const { id } = await world.target(rule);
  const samples = await world.h.app.db
    .selectFrom("samples")
    .select("value")
    .where("series_id", "=", id)
    .orderBy("height")
    .execute();
  expect(samples.map(({ value }) => value)).toEqual([1_000_001, 1_000_002, 1_000_003, 1_000_004]);
});

test("state of a block that the node left is not given", async () => {
  const token = await makeToken();
  const id = await node.client.snapshot();
  const gone = await token.send("mint", [friend, 5n]);
  const data = encodeFunctionData({ abi: token.abi, functionName: "totalSupply" });
  const read = { kind: "call" as const, to: token.address, data };
  const at = { height: Number(gone.blockNumber), hash: gone.blockHash };
  expect(await world.reader.read([read], at)).toEqual([{ ok: true, data: toHex(units(1_000_000) + 5n, { size: 32 }) }]);
  await node.client.revert({ id });
  await node.mine(2);
  const results = await world.reader.read([read], at).catch(() => []);
  expect(results.filter(({ ok }) => ok)).toEqual([]);
  await world.settle();
});

test("many reads go through Multicall3 in one request, and give what they give alone", async () => {
  const token = await makeToken();
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: 7n });
  const { address: multicall3 } = await node.deploy("Multicall");
  const chain = { ...(chainOf("local") as Chain), multicall3 };
  const methods: string[] = [];
  const together = makeEvmReader({
    chain,
    urls: [node.url],
    clock: world.h.clock,
    onRequest: ({ method, calls }) => methods.push(`${calls} ${method}`),
  });
  const call = (functionName: string, args: unknown[] = []) =>
    encodeFunctionData({ abi: token.abi, functionName, args });
  const reads = [
    { kind: "call" as const, to: token.address, data: call("totalSupply") },
    { kind: "call" as const, to: token.address, data: call("transferFrom", [friend, owner, 1n]) },
    { kind: "call" as const, to: token.address, data: call("balanceOf", [friend]) },
    { kind: "balance" as const, address: desk.address },
    { kind: "storage" as const, address: desk.address, slot: pad("0x0") },
  ];
  const head = await together.head();
  methods.length = 0;
  const results = await together.read(reads, head);
  expect(methods).toEqual(["1 eth_call", "1 eth_getStorageAt"]);
  expect(results).toEqual(await world.reader.read(reads, head));
  expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true, true]);
  await together.close();
});
