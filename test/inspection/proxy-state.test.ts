import { type Hex, zeroAddress } from "viem";
import { expect, test } from "vitest";
import type { ProxyState } from "../../src/wire/inspection/proxy-state.ts";
import { deployProxy, deploySafe } from "./deployments.ts";
import { makeInspectionWorld } from "./world.ts";

const { node, h, watch, get } = await makeInspectionWorld();
const [boss, friend, third] = node.accounts as [Hex, Hex, Hex];
const proxyState = (id: string) => get<ProxyState>(`/contracts/${id}/proxy-state`);

test("the proxy state of a transparent proxy shows its slots, the owner of its admin and its history", async () => {
  const { box, proxy, admin } = await deployProxy(node, boss);
  const next = await node.deploy("BoxV2");
  const { id } = await watch(proxy.address);
  const before = await proxyState(id);
  expect(before).toMatchObject({
    is_proxy: true,
    kind: "eip1967",
    implementation: box.address,
    admin: admin.address,
    beacon: null,
    admin_owner: { kind: "contract", address: admin.address, owner: { kind: "eoa", address: boss } },
    history_from_block: 0,
    history_problem: null,
  });
  const { transactionHash, blockNumber } = await admin.send("upgradeAndCall", [
    proxy.address,
    next.address,
    "0x",
  ]);
  // The result is cached for ten seconds.
  expect(await proxyState(id)).toEqual(before);
  h.clock.advance(10);
  const after = await proxyState(id);
  expect(after).toMatchObject({ implementation: next.address });
  expect(after.history[0]).toEqual({
    part: "implementation",
    address: next.address,
    previous: null,
    block_number: Number(blockNumber),
    tx_hash: transactionHash,
    source: "chain",
  });
  expect(after.history.map(({ part, address, previous }) => [part, address, previous])).toContainEqual([
    "admin",
    admin.address,
    zeroAddress,
  ]);
});

test.each([
  [
    "a multisig",
    async () => (await deploySafe(node, [boss, friend, third], 2n)).address,
    { kind: "safe", threshold: 2, owners: [boss, friend, third] },
  ],
  [
    "a timelock",
    async () => (await node.deploy("TimelockController", 7_200n, [boss], [boss], boss)).address,
    { kind: "timelock", delay_seconds: 7_200 },
  ],
])("the proxy state identifies %s as owner of the admin", async (_what, make, expected) => {
  const address = await make();
  const { proxy } = await deployProxy(node, address);
  const { id } = await watch(proxy.address);
  expect(await proxyState(id)).toMatchObject({
    admin_owner: { kind: "contract", owner: { address, ...expected } },
  });
});

test("the proxy state of a beacon proxy shows the beacon, its owner and its upgrades", async () => {
  const [box, next] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const beacon = await node.deploy("UpgradeableBeacon", box.address, boss);
  const proxy = await node.deploy("BeaconProxy", beacon.address, box.encode("store", [1n]));
  await beacon.send("upgradeTo", [next.address]);
  const { id } = await watch(proxy.address);
  const state = await proxyState(id);
  expect(state).toMatchObject({
    kind: "beacon",
    beacon: beacon.address,
    implementation: next.address,
    admin_owner: { kind: "contract", address: beacon.address, owner: { kind: "eoa", address: boss } },
  });
  expect(state.history.map(({ part, address }) => `${part} ${address}`)).toEqual(
    expect.arrayContaining([
      `implementation ${next.address}`,
      `implementation ${box.address}`,
      `beacon ${beacon.address}`,
    ]),
  );
});

test("the proxy state of an ordinary contract is empty", async () => {
  const { id } = await watch((await node.deploy("Desk")).address);
  expect(await proxyState(id)).toMatchObject({
    is_proxy: false,
    kind: null,
    implementation: null,
    admin: null,
    history: [],
  });
});
