import { encodeFunctionData, encodePacked, getContractAddress, type Hex, keccak256, toHex } from "viem";
import { expect, test } from "vitest";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import type { Deployed } from "./node.ts";
import { makeChainWorld, pollSeconds } from "./world.ts";

const world = await makeChainWorld();
const { node } = world;
const [owner] = node.accounts as [Hex];

const v1 = node.artifact("BoxV1").abi;
/** Proxies that emit events when they change are read this often. */
const slowCheckSeconds = 4 * 3600;
const upgrades = { target_type: "proxy_implementation" };
const once = { operator: "gte", threshold: 1, window_seconds: 60 };
/** Uses a name that only the ABI has, so that it does not match without the ABI. */
const bigStores = {
  target_type: "event_frequency",
  config: { event_signature: "Stored(address,uint256)", filter: "value >= 10" },
};
const store = (value: bigint) => encodeFunctionData({ abi: v1, functionName: "store", args: [value] });

/** Deploys a proxy and returns it with the ABI of its implementation. */
async function proxied(kind: string, ...args: unknown[]): Promise<Deployed> {
  const { address } = await node.deploy(kind, ...args);
  return node.at(address, v1);
}

async function contractOf(rule_id: string): Promise<Contract> {
  const rule = (await world.owner.client.get(`/alerts/${rule_id}`)).body as { contract_id: string };
  return (await world.owner.client.get(`/contracts/${rule.contract_id}`)).body as Contract;
}

test("the upgrade of a transparent proxy fires an event with both implementations", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("TransparentUpgradeableProxy", first.address, owner, store(1n));
  // The proxy creates its admin as its first contract.
  const admin = node.at(
    getContractAddress({ from: box.address, nonce: 1n }),
    node.artifact("ProxyAdmin").abi,
  );
  const rule = await world.watch({ address: box.address }, upgrades, once);
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toEqual([]);
  const upgrade = await admin.send("upgradeAndCall", [box.address, second.address, "0x"]);
  expect(upgrade.status).toBe("success");
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: upgrade.transactionHash,
      explanation: {
        evidence: { implementation: second.address, previous_implementation: first.address },
      },
    },
  ]);
  expect(await contractOf(rule)).toMatchObject({
    is_proxy: true,
    implementation_address: second.address,
  });
});

test("the upgrade of a UUPS proxy fires an event with both implementations", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  const rule = await world.watch(box, upgrades, once);
  await world.mineAfterPollInterval();
  const { transactionHash } = await box.send("upgradeToAndCall", [second.address, "0x"]);
  await world.catchUp();
  const evidence = { implementation: second.address, previous_implementation: first.address };
  expect(await world.events(rule)).toMatchObject([{ tx_hash: transactionHash, explanation: { evidence } }]);
});

test("an implementation slot that was overwritten without a log fires at the next check", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  const rule = await world.watch(box, upgrades, once);
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toEqual([]);
  const slot = BigInt(keccak256(encodePacked(["string"], ["eip1967.proxy.implementation"]))) - 1n;
  await node.client.setStorageAt({
    address: box.address,
    index: `0x${slot.toString(16)}`,
    value: `0x${second.address.slice(2).toLowerCase().padStart(64, "0")}`,
  });
  await node.wait(slowCheckSeconds);
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toMatchObject([
    { tx_hash: null, explanation: { evidence: { implementation: second.address } } },
  ]);
});

const asWord = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

/** Deploys a proxy of a kind that changes without a standard event, with a function that replaces its code. */
const silentKinds: Record<
  string,
  (first: Deployed, second: Deployed) => Promise<[Hex, () => Promise<unknown>]>
> = {
  async eip1822(first, second) {
    const proxy = await node.deploy("SlotProxy", keccak256(toHex("PROXIABLE")), first.address);
    return [proxy.address, () => proxy.send("point", [second.address])];
  },
  async legacy(first, second) {
    const slot = keccak256(toHex("org.zeppelinos.proxy.implementation"));
    const proxy = await node.deploy("SlotProxy", slot, first.address);
    return [proxy.address, () => proxy.send("point", [second.address])];
  },
  async safe(_, second) {
    const singleton = await node.deploy("Multisig");
    const setup = singleton.encode("setup", [[owner], 1n]);
    const { address } = await node.deploy("MultisigProxy", singleton.address, setup);
    const value = asWord(second.address);
    return [address, () => node.client.setStorageAt({ address, index: "0x0", value })];
  },
  async eip897(first, second) {
    const { address } = await node.deploy("TellingProxy", first.address);
    const other = await node.deploy("TellingProxy", second.address);
    const bytecode = (await node.client.getCode({ address: other.address })) as Hex;
    return [address, () => node.client.setCode({ address, bytecode })];
  },
  async diamond(first, second) {
    const { address } = await node.deploy("Facets", [first.address]);
    const index = keccak256(asWord("0x0"));
    return [address, () => node.client.setStorageAt({ address, index, value: asWord(second.address) })];
  },
};

test.each(Object.keys(silentKinds))(
  "a proxy of the kind %s that changes silently fires at its next check",
  async (kind) => {
    const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
    const [address, replace] = (await silentKinds[kind]?.(first, second)) ?? [];
    const rule = await world.watch({ address: address as Hex }, upgrades, once);
    await world.mineAfterPollInterval();
    expect(await world.events(rule)).toEqual([]);
    await replace?.();
    await node.wait(slowCheckSeconds);
    await world.mineAfterPollInterval();
    await world.mineAfterPollInterval();
    const [event] = await world.events(rule);
    expect(JSON.stringify(event?.explanation.evidence)).toContain(second.address);
  },
);

test("a wallet that delegates to a contract fires, and so does a wallet that changes whom it delegates to", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const address: Hex = "0x00000000000000000000000000000000c10e7702";
  const target = { target_type: "proxy_implementation", config: { kind: "eip7702" } };
  const rule = await world.watch({ address }, target, { ...once, aggregation: "each" });
  await world.h.runJobs();
  expect(await contractOf(rule)).toMatchObject({ contract_type: "wallet", status_code: null });
  await world.mineAfterPollInterval();
  for (const { address: delegate } of [first, second]) {
    await node.client.setCode({ address, bytecode: `0xef0100${delegate.slice(2).toLowerCase()}` });
    await node.wait(pollSeconds);
    await world.mineAfterPollInterval();
  }
  const events = await world.events(rule);
  expect(events.map(({ explanation }) => explanation.evidence?.implementation).sort()).toEqual(
    [first.address, second.address].sort(),
  );
  expect(events[0]?.message).toContain("delegation of the wallet changed");
});

test("a minimal clone, which cannot change, is not a proxy that is watched", async () => {
  const box = await node.deploy("BoxV1");
  const bytecode: Hex = `0x363d3d373d3d3d363d73${box.address.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
  const address: Hex = "0x00000000000000000000000000000000c10e0001";
  await node.client.setCode({ address, bytecode });
  const rule = await world.watch({ address }, upgrades, once);
  await world.mineAfterPollInterval();
  const { target_id } = (await world.owner.client.get(`/alerts/${rule}`)).body as { target_id: string };
  const { id } = await contractOf(rule);
  const targets = (await world.owner.client.get(`/contracts/${id}/targets`)).body as Target[];
  expect(targets.find((target) => target.id === target_id)).toMatchObject({ status: "unsupported" });
  expect(await world.events(rule)).toEqual([]);
});

test.each([
  ["that the target names", true],
  ["that the proxy's slot names", false],
])("the upgrade of a beacon %s is an event of the proxies on it", async (_, isNamed) => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const beacon = await node.deploy("UpgradeableBeacon", first.address, owner);
  const box = await proxied("BeaconProxy", beacon.address, store(1n));
  const target = isNamed ? { ...upgrades, config: { beacon: beacon.address } } : upgrades;
  const rule = await world.watch({ address: box.address }, target, once);
  for (let looks = 0; looks < 2; looks++) {
    await world.mineAfterPollInterval();
    await node.wait(pollSeconds);
  }
  expect(await world.events(rule)).toEqual([]);
  const { transactionHash } = await beacon.send("upgradeTo", [second.address]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      tx_hash: transactionHash,
      explanation: {
        evidence: {
          beacon: beacon.address,
          implementation: second.address,
          previous_implementation: first.address,
        },
      },
    },
  ]);
  // The next reading of the slots and the beacon gives the same, which is not another change.
  await node.wait(pollSeconds);
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toHaveLength(1);
});

test("after an upgrade a proxy is decoded with the new implementation's ABI, block by block", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  await world.register(second);
  const rule = await world.watch({ address: box.address }, bigStores, once);
  await box.send("store", [20n]);
  await box.send("upgradeToAndCall", [second.address, "0x"]);
  const { transactionHash } = await box.send("store", [30n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([
    {
      value: 1,
      tx_hash: transactionHash,
      explanation: { decoded: { args: { account: owner, value: "30" } } },
    },
  ]);
});

test("an ABI that is added after the upgrade is used from then on", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  const rule = await world.watch({ address: box.address }, bigStores, once);
  await box.send("upgradeToAndCall", [second.address, "0x"]);
  await box.send("store", [20n]);
  await world.catchUp();
  expect(await world.events(rule)).toEqual([]);
  await world.register(second);
  const { transactionHash } = await box.send("store", [30n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 1, tx_hash: transactionHash }]);
});

test("a new contract is decoded with the ABI of its current implementation", async () => {
  const first = await node.deploy("BoxV1");
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  await world.register(first);
  const rule = await world.watch({ address: box.address }, bigStores, once);
  const { transactionHash } = await box.send("store", [30n]);
  await world.catchUp();
  expect(await contractOf(rule)).toMatchObject({ is_proxy: true, implementation_address: first.address });
  expect(await world.events(rule)).toMatchObject([{ value: 1, tx_hash: transactionHash }]);
});

test("a contract without proxy slots has no implementation", async () => {
  const box = await node.deploy("BoxV1");
  const rule = await world.watch(box, bigStores, once);
  await node.mine();
  await world.catchUp();
  expect(await contractOf(rule)).toMatchObject({ is_proxy: false, implementation_address: null });
});

test("a beacon proxy is decoded with the ABI of its beacon's implementation, before and after an upgrade", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const beacon = await node.deploy("UpgradeableBeacon", first.address, owner);
  const box = await proxied("BeaconProxy", beacon.address, store(1n));
  const rule = await world.watch({ address: box.address }, bigStores, once);
  await node.mine();
  await world.catchUp();
  expect(await contractOf(rule)).toMatchObject({ is_proxy: true, implementation_address: first.address });
  await beacon.send("upgradeTo", [second.address]);
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(second.address);
  await world.register(second);
  const { transactionHash } = await box.send("store", [30n]);
  await world.catchUp();
  expect(await world.events(rule)).toMatchObject([{ value: 1, tx_hash: transactionHash }]);
});

test("a rolled back beacon upgrade restores the old implementation", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const beacon = await node.deploy("UpgradeableBeacon", first.address, owner);
  const box = await proxied("BeaconProxy", beacon.address, store(1n));
  const rule = await world.watch({ address: box.address }, bigStores, once);
  await node.mine();
  await world.catchUp();
  const id = await node.client.snapshot();
  await beacon.send("upgradeTo", [second.address]);
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(second.address);
  await node.client.revert({ id });
  await node.mine(2);
  await world.restart();
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(first.address);
  // Later upgrades of the beacon are still detected.
  await beacon.send("upgradeTo", [second.address]);
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(second.address);
});

test("a proxy that was upgraded while paused is decoded with its new implementation after the resumption", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  const rule = await world.watch({ address: box.address }, bigStores, once);
  await node.mine();
  await world.catchUp();
  const { id, implementation_address } = await contractOf(rule);
  expect(implementation_address).toBe(first.address);
  await world.owner.client.post(`/contracts/${id}/pause`, {});
  await world.catchUp();
  await box.send("upgradeToAndCall", [second.address, "0x"]);
  await world.catchUp();
  await world.owner.client.post(`/contracts/${id}/resume`, {});
  await world.catchUp();
  await node.mine();
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(second.address);
});

test("an upgrade is undone when its block is rolled back", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  await world.register(second);
  const rule = await world.watch({ address: box.address }, bigStores, once);
  const id = await node.client.snapshot();
  await box.send("upgradeToAndCall", [second.address, "0x"]);
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(second.address);
  await node.client.revert({ id });
  await node.mine(2);
  await box.send("store", [30n]);
  await world.catchUp();
  expect((await contractOf(rule)).implementation_address).toBe(first.address);
  expect(await world.events(rule)).toEqual([]);
});

test("an upgrade and the calls after it count on a new branch too", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const box = await proxied("ERC1967Proxy", first.address, store(1n));
  await world.register(second);
  const rule = await world.watch({ address: box.address }, bigStores, once);
  const id = await node.client.snapshot();
  await node.mine();
  await world.catchUp();
  await node.client.revert({ id });
  await box.send("upgradeToAndCall", [second.address, "0x"]);
  const { transactionHash } = await box.send("store", [30n]);
  expect(await world.catchUp()).toEqual(["rolled_back"]);
  expect(await world.events(rule)).toMatchObject([{ value: 1, tx_hash: transactionHash }]);
});
