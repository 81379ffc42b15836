import { pad, parseEther, toHex } from "viem";
import { expect, test } from "vitest";
import { makeChainWorld } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner, friend, stranger] = node.accounts as [`0x${string}`, `0x${string}`, `0x${string}`];

const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";
const units = (amount: number) => BigInt(amount) * 10n ** 6n;
const makeToken = () => node.deploy("Token", units(1_000_000));

test("transfers are counted from real logs, and the event names the one that exceeded the threshold", async () => {
  const token = await makeToken();
  const target = { target_type: "event_frequency", config: { event_signature: transfer } };
  const rule = await world.watch(token, target, { operator: "gte", threshold: 3, window_seconds: 60 });
  await token.send("transfer", [friend, 1n]);
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const third = await token.send("transfer", [stranger, 7n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      status: "firing",
      value: 3,
      tx_hash: third.transactionHash,
      block_hash: third.blockHash,
      block_number: Number(third.blockNumber),
      log_index: 0,
      explanation: { decoded: { name: "Transfer", args: { from: owner, to: stranger, value: "7" } } },
    },
  ]);
  expect(await world.notices(rule)).toEqual(["fired"]);
});

test("the value of a large transfer uses the token's decimals, also among several in a transaction", async () => {
  const token = await makeToken();
  const target = { target_type: "large_transfer", config: { decimals: 6 } };
  const rule = await world.watch(token, target, { operator: "gt", threshold: 1000 });
  await token.send("transferMany", [[friend, stranger], units(1000)]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const large = await token.send("transfer", [friend, units(1000) + 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    { value: 1000.000001, tx_hash: large.transactionHash, unit: "tokens" },
  ]);
});

test("a filter selects events by their decoded arguments", async () => {
  const desk = await node.deploy("Desk");
  const event_signature =
    "Placed(uint256 indexed id, string indexed topic, (address maker, int256 delta, string note) order, bytes32[] tags, bool live)";
  const filter = `id >= 5 and order.delta < -10e18 and order.maker == ${friend.toLowerCase()} and order.note contains "fire" and live`;
  const target = { target_type: "event_frequency", config: { event_signature, filter } };
  const rule = await world.watch(desk, target, { operator: "gte", threshold: 1 });
  const place = (id: number, delta: bigint, note: string, maker = friend) =>
    desk.send("place", [id, "sale", { maker, delta, note }, [pad(toHex(1))]]);
  await place(4, parseEther("-11"), "fire sale");
  await place(5, parseEther("11"), "fire sale");
  await place(5, parseEther("-11"), "nothing");
  await place(5, parseEther("-11"), "fire sale", stranger);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const hit = await place(5, parseEther("-11"), "🔥 fire sale");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: hit.transactionHash,
      explanation: {
        decoded: {
          args: { id: "5", order: { delta: "-11000000000000000000", note: "🔥 fire sale" }, live: true },
        },
      },
    },
  ]);
});

test("function calls are counted and decoded with the ABI", async () => {
  const token = await makeToken();
  const config = { function_signature: "approve(address,uint256)", filter: "value > 100" };
  const target = { target_type: "function_call_rate", config };
  const rule = await world.watch(token, target, { operator: "gte", threshold: 1 });
  await token.send("approve", [friend, 100n]);
  await token.send("transfer", [friend, 1000n]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const { transactionHash } = await token.send("approve", [friend, 101n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: transactionHash,
      explanation: { decoded: { name: "approve", args: { spender: friend, value: "101" } } },
    },
  ]);
});

test("reverted transactions raise the failure rate", async () => {
  const token = await makeToken();
  const target = { target_type: "revert_rate", config: { min_txs: 3 } };
  const rule = await world.watch(token, target, { operator: "gte", threshold: 0.5, window_seconds: 600 });
  await token.send("transfer", [friend, 1n]);
  const failed = await token.send("transfer", [friend, units(9_000_000)]);
  expect(failed.status).toBe("reverted");
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const last = await token.send("mint", [friend, 1n], { from: stranger });
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: last.transactionHash,
      explanation: { evidence: { status: "failed", from: stranger }, samples_in_window: 3 },
    },
  ]);
  expect((await world.events(rule))[0]?.value).toBeCloseTo(2 / 3);
});

test("a match for failed transactions ignores successful ones", async () => {
  const desk = await node.deploy("Desk");
  const match = { status: "failed", functions: [{ signature: "close(uint256 id)", expression: "id == 9" }] };
  const rule = await world.watch(desk, { target_type: "tx_rate" }, { operator: "gte", threshold: 1, match });
  await desk.send("place", [9, "x", { maker: friend, delta: 0n, note: "" }, []]);
  await desk.send("close", [8]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const { transactionHash } = await desk.send("close", [9]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ tx_hash: transactionHash }]);
});

test("a match finds an event that was emitted in a call by another contract", async () => {
  const token = await makeToken();
  const timelock = await node.deploy("TimelockController", 0n, [owner], [owner], owner);
  await token.send("transfer", [timelock.address, units(10)]);
  const match = { events: [{ signature: transfer, expression: `from == ${timelock.address}` }] };
  const rule = await world.watch(token, { target_type: "tx_rate" }, { operator: "gte", threshold: 1, match });
  await token.send("transfer", [friend, 1n]);
  const data = token.encode("transfer", [friend, units(10)]);
  const operation = [token.address, 0n, data, pad("0x0"), pad("0x1")];
  await timelock.send("schedule", [...operation, 0n]);
  const { transactionHash, status } = await timelock.send("execute", operation);
  expect(status).toBe("success");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ tx_hash: transactionHash }]);
});

test("hundreds of skipped blocks without a parent hash do not stop the engine", async () => {
  const token = await makeToken();
  const target = { target_type: "event_frequency", config: { event_signature: transfer } };
  const rule = await world.watch(token, target, { operator: "gte", threshold: 1 });
  await node.mine(100);
  const { transactionHash } = await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ tx_hash: transactionHash }]);
});
