import { type Hex, maxUint64, pad, toHex } from "viem";
import { expect, test } from "vitest";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import type { BridgeConfig } from "../../src/wire/inspection/bridge-config.ts";
import { startNode } from "../chain/node.ts";
import { makeInspectionWorld } from "./world.ts";

/** The remote chain, where the peers of the apps are. */
const remoteNode = await startNode();
const world = await makeInspectionWorld({ RPC_ETHEREUM: remoteNode.url });
const { node, h, watch, get } = world;
const [boss, friend] = node.accounts as [Hex, Hex];
const setFlag = (bridge_detection: boolean) =>
  changeAnyOrg(h.app, systemCaller, world.owner.org_id, { feature_flags: { bridge_detection } });
await setFlag(true);

const library = await node.deploy("MessageLibrary");
const endpoint = await node.deploy("MessageEndpoint", 40_001, library.address, library.address);
const dvn = (number: number) => pad(toHex(0xd000 + number), { size: 20 });
const verifiers = (count: number, more: object = {}) => ({
  confirmations: 15n,
  requiredDVNCount: count,
  optionalDVNCount: 0,
  optionalDVNThreshold: 0,
  requiredDVNs: Array.from({ length: count }, (_, at) => dvn(at + 1)),
  optionalDVNs: [],
  ...more,
});
const remote = 30101;
const peer = pad("0xbeef", { size: 32 });

/** Deploys an app with a peer on Ethereum, by default owned by a multisig. */
async function makeApp(config: object | undefined, owner?: Hex) {
  const safe = await node.deploy("Multisig");
  await safe.send("setup", [[boss, friend], 2n]);
  const app = await node.deploy("BridgeApp", endpoint.address, owner ?? safe.address);
  await app.send("setPeer", [remote, peer]);
  if (config) await library.send("set", [app.address, remote, config]);
  return app;
}
const bridgeOf = async (address: Hex) =>
  get<BridgeConfig>(`/contracts/${(await watch(address)).id}/bridge-config`);
const inbound = async (address: Hex) =>
  (await bridgeOf(address)).routes.find(({ direction }) => direction === "inbound");

test.each([
  ["1 of 1", verifiers(1), "critical"],
  ["2 of 2", verifiers(2), "medium"],
  ["3 of 3", verifiers(3), "low"],
  [
    "any 1 of 3",
    verifiers(255, {
      requiredDVNs: [],
      optionalDVNCount: 3,
      optionalDVNThreshold: 1,
      optionalDVNs: [1, 2, 3].map(dvn),
    }),
    "critical",
  ],
  [
    "2 and 1 of 2",
    verifiers(2, { optionalDVNCount: 2, optionalDVNThreshold: 1, optionalDVNs: [3, 4].map(dvn) }),
    "low",
  ],
  ["3 without confirmations", verifiers(3, { confirmations: maxUint64 }), "high"],
] as const)("a route with verifiers %s gets its risk level", async (_what, config, risk_level) => {
  const app = await makeApp(config);
  const route = await inbound(app.address);
  expect(route).toMatchObject({
    src_eid: remote,
    dst_eid: 40_001,
    src_chain: "ethereum",
    dst_chain: "local",
    peer,
    receive_library: library.address,
    is_default_config: false,
    risk_level,
  });
  expect(route?.risk_reasons.length).toBeGreaterThan(0);
});

test("a route with default verifiers, which LayerZero can change, never has low risk", async () => {
  await library.send("setDefault", [remote, verifiers(3)]);
  const route = await inbound((await makeApp(undefined)).address);
  expect(route).toMatchObject({ is_default_config: true, risk_level: "medium", confirmations: "15" });
  expect(route?.required_dvns).toHaveLength(3);
  await library.send("setDefault", [remote, verifiers(0)]);
});

test("a route of an app that a single key controls has medium risk", async () => {
  expect(await inbound((await makeApp(verifiers(3), boss)).address)).toMatchObject({ risk_level: "medium" });
});

test("a route without a library or a verifier is inactive, and one that cannot be read is unknown", async () => {
  expect(await inbound((await makeApp(undefined)).address)).toMatchObject({ risk_level: "inactive" });
  const closed = await makeApp(verifiers(3));
  await endpoint.send("close", [closed.address, remote]);
  expect(await inbound(closed.address)).toMatchObject({ risk_level: "inactive", receive_library: null });
  const broken = await makeApp(verifiers(3));
  const code = await node.client.getCode({ address: library.address });
  await node.client.setCode({ address: library.address, bytecode: "0x5f5ffd" });
  expect(await inbound(broken.address)).toMatchObject({ risk_level: "unknown" });
  await node.client.setCode({ address: library.address, bytecode: code as Hex });
});

test("an outbound route shows its send library and verifiers, and has unknown risk if the remote chain is not enabled", async () => {
  const { routes, endpoint: found, eid } = await bridgeOf((await makeApp(verifiers(2))).address);
  expect([found, eid, routes.length]).toEqual([endpoint.address, 40_001, 2]);
  expect(routes.find(({ direction }) => direction === "outbound")).toMatchObject({
    src_eid: 40_001,
    dst_eid: remote,
    dst_chain: "ethereum",
    send_library: library.address,
    required_dvns: [1, 2].map((one) => expect.stringMatching(new RegExp(dvn(one), "i"))),
    risk_level: "unknown",
  });
});

test("an outbound route is scored by the receiving side if the remote chain is enabled", async () => {
  const remoteLibrary = await remoteNode.deploy("MessageLibrary");
  const made = await remoteNode.deploy(
    "MessageEndpoint",
    remote,
    remoteLibrary.address,
    remoteLibrary.address,
  );
  // On Ethereum only the known LayerZero endpoint is accepted, so the stub is placed at its address.
  const known = "0x1a44076050125825900e736c501f859c50fE728c";
  const bytecode = (await remoteNode.client.getCode({ address: made.address })) as Hex;
  await remoteNode.client.setCode({ address: known, bytecode });
  for (const index of [0, 1]) {
    const value = (await remoteNode.client.getStorageAt({
      address: made.address,
      slot: toHex(index),
    })) as Hex;
    await remoteNode.client.setStorageAt({ address: known, index, value });
  }
  const remoteApp = await remoteNode.deploy("BridgeApp", known, boss);
  await remoteLibrary.send("set", [remoteApp.address, 40_001, verifiers(1)]);
  const app = await makeApp(verifiers(3));
  await app.send("setPeer", [remote, pad(remoteApp.address, { size: 32 })]);
  await remoteApp.send("setPeer", [40_001, pad(app.address, { size: 32 })]);
  const { routes } = await bridgeOf(app.address);
  expect(routes.map(({ direction, risk_level }) => [direction, risk_level])).toEqual([
    ["inbound", "low"],
    // Scored on the remote chain, where the library is not a known LayerZero library.
    ["outbound", "high"],
  ]);
  expect(routes[1]).toMatchObject({
    receive_library: remoteLibrary.address,
    required_dvns: [expect.any(String)],
  });
});

test("a route to an unknown chain is found in the PeerSet logs of the app", async () => {
  const app = await makeApp(verifiers(3));
  await app.send("setPeer", [77_777, peer]);
  await library.send("set", [app.address, 77_777, verifiers(1)]);
  const { routes } = await bridgeOf(app.address);
  expect(routes.find(({ src_eid }) => src_eid === 77_777)).toMatchObject({
    src_chain: null,
    risk_level: "critical",
  });
});

test("a contract that is not a bridge has no routes, and a bridge has none while the feature flag is off", async () => {
  expect(await bridgeOf((await node.deploy("Desk")).address)).toMatchObject({ endpoint: null, routes: [] });
  const { id } = await watch((await makeApp(verifiers(1))).address);
  await setFlag(false);
  expect((await get<BridgeConfig>(`/contracts/${id}/bridge-config`)).routes).toEqual([]);
  await setFlag(true);
  expect((await get<BridgeConfig>(`/contracts/${id}/bridge-config`)).routes).toHaveLength(2);
});
