import { type Hex, keccak256, pad, toHex } from "viem";
import { expect, test } from "vitest";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner, friend, stranger] = node.accounts as [Hex, Hex, Hex];
const once = { operator: "gte", threshold: 1, window_seconds: 60 };

test("pausing and unpausing a token fire at once, with their transactions", async () => {
  const token = await node.deploy("Token", 1n);
  const rule = await world.watch(token, { target_type: "pause_state" }, { ...once, operator: "eq" });
  await world.mineAfterPollInterval();
  expect(await world.target(rule)).toMatchObject({ status: "ok", last_value: 0 });
  const paused = await token.send("pause");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      status: "firing",
      tx_hash: paused.transactionHash,
      explanation: { decoded: { name: "Paused", args: { account: owner } } },
    },
  ]);
  await world.mineAfterPollInterval();
  expect((await world.events(rule))[0]?.status).toBe("firing");
  await token.send("unpause");
  await world.catchUp();
  expect((await world.events(rule))[0]?.status).toBe("resolved");
  expect(await world.notices(rule)).toEqual(["fired", "resolved"]);
});

test("a change that a poll of the same block finds too is explained by its transaction", async () => {
  const token = await node.deploy("Token", 1n);
  const changed = { operator: "changed", aggregation: "last", window_seconds: 60 };
  const rule = await world.watch(token, { target_type: "pause_state" }, changed);
  await world.mineAfterPollInterval();
  // The next poll is due in the block of the transaction.
  await node.wait(pollSeconds);
  const paused = await token.send("pause");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: paused.transactionHash,
      explanation: { samples_in_window: 3, decoded: { name: "Paused", args: { account: owner } } },
    },
  ]);
});

test("a change of ownership fires an event with both owners", async () => {
  const token = await node.deploy("Token", 1n);
  const rule = await world.watch({ address: token.address }, { target_type: "ownership_change" }, once);
  await token.send("transfer", [friend, 1n]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const { transactionHash } = await token.send("transferOwnership", [friend]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: transactionHash,
      explanation: { decoded: { args: { previousOwner: owner, newOwner: friend } } },
    },
  ]);
});

test("granting and revoking a role count each time, limited to the configured kinds", async () => {
  const timelock = await node.deploy("TimelockController", 60n, [], [], owner);
  const granted = { target_type: "ownership_change", config: { events: ["RoleGranted"] } };
  const rule = await world.watch(timelock, granted, { ...once, threshold: 2 });
  const role = keccak256(toHex("PROPOSER_ROLE"));
  await timelock.send("grantRole", [role, friend]);
  await timelock.send("revokeRole", [role, friend]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  const { transactionHash } = await timelock.send("grantRole", [role, stranger]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    { value: 2, tx_hash: transactionHash, explanation: { decoded: { args: { role, account: stranger } } } },
  ]);
});

test("a batch scheduled in a timelock is one proposal", async () => {
  const timelock = await node.deploy("TimelockController", 60n, [owner], [owner], owner);
  const rule = await world.watch(timelock, { target_type: "governance_proposal" }, once);
  const batch = [[friend, stranger], [0n, 0n], ["0x", "0x"], pad("0x0"), pad("0x1")];
  const { transactionHash } = await timelock.send("scheduleBatch", [...batch, 60n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      value: 1,
      tx_hash: transactionHash,
      explanation: { evidence: { calls: 2 }, decoded: { name: "CallScheduled", args: { target: friend } } },
    },
  ]);
});

test("a proposal to a governor is counted, with its description", async () => {
  const parliament = await node.deploy("Parliament");
  const rule = await world.watch(
    { address: parliament.address },
    { target_type: "governance_proposal", config: { governor_kind: "oz" } },
    once,
  );
  const { transactionHash, status } = await parliament.send("propose", [
    [friend],
    [1n],
    ["0x"],
    "Pay a friend",
  ]);
  expect(status).toBe("success");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: transactionHash,
      explanation: { decoded: { args: { proposer: owner, targets: [friend], description: "Pay a friend" } } },
    },
  ]);
});

test("a timelock that shortens its delay fires an event", async () => {
  const timelock = await node.deploy("TimelockController", 60n, [owner], [owner], owner);
  const data = timelock.encode("updateDelay", [10n]);
  const operation = [timelock.address, 0n, data, pad("0x0"), pad("0x1")];
  await timelock.send("schedule", [...operation, 60n]);
  const rule = await world.watch(
    timelock,
    { target_type: "timelock_delay" },
    { operator: "lt", threshold: 60 },
  );
  await world.mineAfterPollInterval();
  expect(await world.target(rule)).toMatchObject({ status: "ok", last_value: 60 });
  await node.wait(60 + pollSeconds);
  expect((await timelock.send("execute", operation)).status).toBe("success");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 10, unit: "seconds" }]);
});
