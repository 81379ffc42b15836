import { type Hex, parseEther } from "viem";
import { expect, test } from "vitest";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const { client } = node;
const [, friend, stranger] = node.accounts as [Hex, Hex, Hex];

const transfers = {
  target_type: "event_frequency",
  config: { event_signature: "Transfer(address indexed from, address indexed to, uint256 value)" },
};
const once = { operator: "gte", threshold: 1, window_seconds: 60 };

test("an event is retracted when the chain drops its transaction", async () => {
  const token = await node.deploy("Token", 100n);
  const rule = await world.watch(token, transfers, once);
  const id = await client.snapshot();
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "firing" }]);
  await client.revert({ id });
  await node.mine(2);
  expect(await world.catchUp()).toEqual(["rolled_back"]);
  expect(await world.events(rule)).toMatchObject([{ status: "retracted", finality: "retracted" }]);
  expect(await world.notices(rule)).toEqual(["fired", "retracted"]);
});

test("a transaction that is in a later block of the other branch is the same event", async () => {
  const token = await node.deploy("Token", 100n);
  await token.send("transfer", [stranger, 10n]);
  const rule = await world.watch(token, transfers, { ...once, match: fromOwner() });
  const id = await client.snapshot();
  const data = token.encode("transfer", [friend, 1n]);
  const first = await node.transact({ to: token.address, data });
  await world.catchUp();
  const [before] = await world.events(rule);
  expect(before).toMatchObject({ status: "firing", log_index: 0 });
  await client.revert({ id });
  await node.mine();
  await client.setAutomine(false);
  await node.submit({ to: token.address, data }, { from: stranger, tip: 2n });
  expect(await node.submit({ to: token.address, data })).toBe(first.transactionHash);
  await node.mine();
  await client.setAutomine(true);
  const second = await client.getTransactionReceipt({ hash: first.transactionHash });
  expect(second.blockNumber).toBe(first.blockNumber + 1n);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    { id: before?.id, status: "firing", block_hash: second.blockHash, log_index: 1 },
  ]);
  expect(await world.notices(rule)).toEqual(["fired"]);
});

/** A match for transactions of the first account. */
function fromOwner() {
  const expression = `from == ${node.accounts[0]}`;
  return { events: [{ signature: transfers.config.event_signature, expression }] };
}

test("a retracted event fires again when its transaction is mined again", async () => {
  const token = await node.deploy("Token", 100n);
  const rule = await world.watch(token, transfers, once);
  const id = await client.snapshot();
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  await client.revert({ id });
  await node.mine(2);
  await world.catchUp();
  const { blockHash } = await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "firing", block_hash: blockHash }]);
  expect(await world.notices(rule)).toEqual(["fired", "retracted", "fired"]);
});

test("a reorganisation while the engine was down is detected after its restart", async () => {
  const token = await node.deploy("Token", 100n);
  const rule = await world.watch(token, transfers, once);
  const id = await client.snapshot();
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  await world.restart();
  await client.revert({ id });
  await node.mine();
  const { transactionHash } = await token.send("transfer", [stranger, 2n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    { status: "firing", tx_hash: transactionHash },
    { status: "retracted" },
  ]);
});

test("a restarted engine continues with the same windows", async () => {
  const token = await node.deploy("Token", 100n);
  const rule = await world.watch(token, transfers, { ...once, threshold: 3 });
  await token.send("transfer", [friend, 1n]);
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  await world.restart();
  const { transactionHash } = await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  await world.restart();
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 3, tx_hash: transactionHash }]);
});

test("an event of a balance that was low only on the old branch is retracted", async () => {
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  const rule = await world.watch(desk, { target_type: "native_balance" }, { operator: "lt", threshold: 1 });
  await world.mineAfterPollInterval();
  const id = await client.snapshot();
  await node.wait(pollSeconds);
  await desk.send("pay", [friend, parseEther("4.5")]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "firing", value: 0.5 }]);
  await client.revert({ id });
  await node.wait(pollSeconds);
  await node.mine(2);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "retracted" }]);
  expect((await world.target(rule)).last_value).toBe(5);
});

test("state is read at once on a new branch", async () => {
  const desk = await node.deploy("Desk");
  await node.transact({ to: desk.address }, { value: parseEther("5") });
  const rule = await world.watch(desk, { target_type: "native_balance" }, { operator: "lt", threshold: 1 });
  await world.mineAfterPollInterval();
  const id = await client.snapshot();
  await node.wait(pollSeconds);
  await node.mine();
  await world.catchUp();
  await client.revert({ id });
  await node.wait(pollSeconds);
  await desk.send("pay", [friend, parseEther("4.5")]);
  await node.mine();
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ status: "firing", value: 0.5 }]);
});

test("a rule that needs receipts gets them from its first block on, even while catching up", async () => {
  const token = await node.deploy("Token", 100n);
  await world.catchUp();
  await node.mine(250);
  await token.send("transfer", [friend, 101n]);
  expect(await world.step()).toBe("moved");
  const match = { status: "failed" };
  const { id } = await world.register(token, { selected_targets: [{ target_type: "tx_rate" }] });
  const rule = await world.rule(id, { ...once, match });
  await world.catchUp();
  expect(await world.events(rule)).toHaveLength(1);
});

test("the state of a replaced block is not requested repeatedly", async () => {
  const id = await node.client.snapshot();
  await node.mine();
  const gone = await world.reader.head();
  await node.client.revert({ id });
  await node.wait(5);
  await node.mine(2);
  const reading = world.reader.read([{ kind: "balance", address: gone.hash.slice(0, 42) }], gone);
  await expect(reading).rejects.toThrow(`Block ${gone.height} was replaced`);
});
