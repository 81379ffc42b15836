import { createRequire } from "node:module";
import { type Abi, encodeAbiParameters, encodeDeployData, type Hex, pad, toHex } from "viem";
import { expect, test } from "vitest";
import { systemCaller } from "../../src/domain/caller.ts";
import { changeAnyOrg } from "../../src/domain/orgs/platform.ts";
import type { BridgeConfig } from "../../src/wire/inspection/bridge-config.ts";
import { makeInspectionWorld } from "./world.ts";

/** Tests with the published LayerZero endpoint and libraries. */
const world = await makeInspectionWorld();
const { node, h, watch, get } = world;
const [boss] = node.accounts as [Hex];
await changeAnyOrg(h.app, systemCaller, world.owner.org_id, { feature_flags: { bridge_detection: true } });

const require = createRequire(import.meta.url);

async function deploy(artifact: string, ...args: unknown[]) {
  const { abi, bytecode } = require(artifact) as { abi: Abi; bytecode: Hex };
  const { contractAddress, status } = await node.transact({
    data: encodeDeployData({ abi, bytecode, args }),
  });
  if (!contractAddress || status !== "success") throw new Error(`${artifact} was not deployed`);
  const contract = node.at(contractAddress, abi);
  const send = async (name: string, values: unknown[]) => {
    const receipt = await contract.send(name, values);
    if (receipt.status !== "success") throw new Error(`${name} failed`);
  };
  return { ...contract, send };
}

const localEid = 40_001;
const remote = 30101;
const dvn = (number: number) => pad(toHex(0xd000 + number), { size: 20 });
const ulnConfig = (count: number) => ({
  confirmations: 15n,
  requiredDVNCount: count,
  optionalDVNCount: 0,
  optionalDVNThreshold: 0,
  requiredDVNs: Array.from({ length: count }, (_, at) => dvn(at + 1)),
  optionalDVNs: [],
});

const folder = "@layerzerolabs/lz-evm-messagelib-v2/artifacts/contracts/uln/uln302";
const endpoint = await deploy(
  "@layerzerolabs/lz-evm-protocol-v2/artifacts/contracts/EndpointV2.sol/EndpointV2.json",
  localEid,
  boss,
);
const sendLibrary = await deploy(`${folder}/SendUln302.sol/SendUln302.json`, endpoint.address, 0n, 0n);
const receiveLibrary = await deploy(`${folder}/ReceiveUln302.sol/ReceiveUln302.json`, endpoint.address);
for (const library of [sendLibrary, receiveLibrary]) {
  await endpoint.send("registerLibrary", [library.address]);
  await library.send("setDefaultUlnConfigs", [[{ eid: remote, config: ulnConfig(2) }]]);
}
await sendLibrary.send("setDefaultExecutorConfigs", [
  [{ eid: remote, config: { maxMessageSize: 10_000, executor: boss } }],
]);
await endpoint.send("setDefaultSendLibrary", [remote, sendLibrary.address]);
await endpoint.send("setDefaultReceiveLibrary", [remote, receiveLibrary.address, 0n]);

const shape = [
  {
    type: "tuple",
    components: [
      { name: "confirmations", type: "uint64" },
      { name: "requiredDVNCount", type: "uint8" },
      { name: "optionalDVNCount", type: "uint8" },
      { name: "optionalDVNThreshold", type: "uint8" },
      { name: "requiredDVNs", type: "address[]" },
      { name: "optionalDVNs", type: "address[]" },
    ],
  },
] as const;

/** Deploys an app with this verifier config, or with the LayerZero defaults, and returns its inbound route. */
async function routeOf(config: ReturnType<typeof ulnConfig> | undefined) {
  const app = await node.deploy("DelegatingApp", endpoint.address, boss);
  await app.send("setPeer", [remote, pad("0xbeef", { size: 32 })]);
  if (config) {
    const setting = [{ eid: remote, configType: 2, config: encodeAbiParameters(shape, [config]) }];
    for (const library of [sendLibrary, receiveLibrary]) {
      await endpoint.send("setConfig", [app.address, library.address, setting]);
    }
  }
  const { id } = await watch(app.address);
  const { routes } = await get<BridgeConfig>(`/contracts/${id}/bridge-config`);
  return routes.find(({ direction }) => direction === "inbound");
}

test("a route with 1 of 1 verifiers has critical risk", async () => {
  expect(await routeOf(ulnConfig(1))).toMatchObject({
    src_eid: remote,
    dst_eid: localEid,
    receive_library: receiveLibrary.address,
    confirmations: "15",
    required_dvns: [expect.stringMatching(/d001$/i)],
    is_default_config: false,
    risk_level: "critical",
  });
});

test("a route with 2 of 2 verifiers has medium risk", async () => {
  const route = await routeOf(ulnConfig(2));
  expect(route).toMatchObject({ is_default_config: false, risk_level: "medium" });
  expect(route?.required_dvns).toHaveLength(2);
});

test("a route with default verifiers never has low risk, and its reasons mention the defaults", async () => {
  const route = await routeOf(undefined);
  expect(route).toMatchObject({ is_default_config: true, risk_level: "medium" });
  expect(route?.risk_reasons.join(" ")).toMatch(/default/i);
});
