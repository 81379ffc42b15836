import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbiParameters,
  parseEther,
  toHex,
  zeroAddress,
} from "viem";
import { expect, test } from "vitest";
import type { Rule } from "../../src/wire/alerts/rules.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { addContract, addRule, addTarget } from "../api/contracts/contract-steps.ts";
import { errorReply } from "../api/steps.ts";
import { makeChainWorld } from "./world.ts";

const world = await makeChainWorld();
const { node, owner } = world;
const [deployer, keeper, receiver] = node.accounts as [Hex, Hex, Hex];
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const changes = { operator: "changed" };
const upgrades = { target_type: "proxy_implementation" };
/** Proxies that emit events when they change are read this often. */
const slowCheckSeconds = 4 * 3600;

test("a second upgrade right after the first is an event of its own, and each names the old and the new code", async () => {
  const [v1, v2, v3] = [await node.deploy("BoxV1"), await node.deploy("BoxV2"), await node.deploy("BoxV1")];
  const store = encodeFunctionData({ abi: v1.abi, functionName: "store", args: [1n] });
  const { address } = await node.deploy("ERC1967Proxy", v1.address, store);
  const box = node.at(address, v1.abi);
  await world.register(v2, { label: "Box 2" });
  const rule = await world.watch({ address }, upgrades, changes);
  await world.mineAfterPollInterval();
  await box.send("upgradeToAndCall", [v2.address, "0x"]);
  await box.send("upgradeToAndCall", [v3.address, "0x"]);
  await world.catchUp();
  const events = (await world.events(rule)).reverse();
  const by = `upgraded by ${short(deployer)}`;
  expect(events).toMatchObject([
    {
      status: "occurred",
      title: expect.stringContaining(
        `${by}: implementation ${short(v1.address)} → Box 2 (${short(v2.address)})`,
      ),
    },
    {
      status: "occurred",
      title: expect.stringContaining(
        `${by}: implementation Box 2 (${short(v2.address)}) → ${short(v3.address)}`,
      ),
    },
  ]);
});

test("a keeper's wallet is monitored without an error, and fires when its balance is low", async () => {
  await world.catchUp();
  const { id } = await world.register(
    { address: keeper },
    {
      label: "Keeper",
      selected_targets: [{ target_type: "native_balance" }],
    },
  );
  await world.h.runJobs();
  const wallet = (await owner.client.get(`/contracts/${id}`)).body as Contract;
  expect(wallet).toMatchObject({ contract_type: "wallet", status: "MONITORING", status_code: null });
  const rule = await world.rule(id, {
    operator: "lt",
    threshold: 100,
    aggregation: "last",
    window_seconds: 60,
  });
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toEqual([]);
  const balance = await node.client.getBalance({ address: keeper });
  await node.transact({ to: receiver }, { from: keeper, value: balance - parseEther("2") });
  await world.mineAfterPollInterval();
  expect(await world.events(rule)).toMatchObject([
    { status: "firing", title: expect.stringMatching(/^Keeper on .*: balance fell from .* to 1\.9/) },
  ]);
});

test("misspelt names are rejected with the names that exist, and an unknown type is reported", async () => {
  const { address, abi } = await node.deploy("BoxV1");
  const { id } = await addContract(owner, { address, abi });
  const misspelt = { target_type: "event_frequency", config: { event_signature: "Storde(address,uint256)" } };
  const refused = await owner.client.post(`/contracts/${id}/targets`, misspelt);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Stored(address,uint256)");
  const config = { event_signature: "Stored(address,uint256)" };
  const target = await addTarget(owner, id, { target_type: "event_frequency", config });
  const events = [{ signature: "Stored(address,uint256)", expression: "valeu > 1" }];
  const body = { target_id: target.id, severity: "critical", record_only: true };
  const condition = { operator: "gte", threshold: 1, match: { events } };
  const expression = await owner.client.post("/alerts", { ...body, condition });
  expect([expression.status, expression.text]).toEqual([422, expect.stringMatching(/valeu.*value/)]);
  const template = await owner.client.post("/alerts", {
    ...body,
    condition: { operator: "gte", threshold: 1 },
    message_template: "{{args.acount}} stored",
  });
  expect([template.status, template.text]).toEqual([422, expect.stringMatching(/acount.*account/)]);
  const unknown = await owner.client.post(`/contracts/${id}/targets`, { target_type: "ownership_chagne" });
  expect(unknown.body).toMatchObject({
    status: "unsupported",
    status_reason: expect.stringContaining("ownership_change"),
  } satisfies Partial<Target>);
});

test("the only channel of a critical rule cannot be deleted silently, and its alerts go to the replacement", async () => {
  const addHook = async (name: string) => {
    const config = { url: `https://hooks.example.com/${name}` };
    return ((await owner.client.post("/channels", { type: "webhook", name, config })).body as { id: string })
      .id;
  };
  const [former, next] = [await addHook("former"), await addHook("next")];
  const box = await node.deploy("BoxV1");
  await world.catchUp();
  const { id } = await world.register(box);
  const target = await addTarget(owner, id);
  const condition = { operator: "gte", threshold: 1, aggregation: "each" };
  const rule = await addRule(owner, target.id, { name: "Every call", channel_id: former, condition });
  const refused = await owner.client.delete(`/channels/${former}`);
  expect(refused).toMatchObject(errorReply(409, "channel_in_use"));
  expect(refused.text).toContain("Every call");
  expect((await owner.client.delete(`/channels/${former}`, { query: { replace_with: next } })).status).toBe(
    200,
  );
  expect((await owner.client.get(`/alerts/${rule.id}`)).body).toMatchObject({
    channel_id: next,
    record_only: false,
  } satisfies Partial<Rule>);
  await world.catchUp();
  await box.send("store", [1n]);
  await world.catchUp();
  expect(await world.events(rule.id)).toMatchObject([{ status: "occurred" }]);
  expect(await world.notices(rule.id)).toEqual(["fired"]);
});

/** Code that emits what it is called with as a log: the first word is the topic. */
const logger = "60203603806020600037600035906000a100";
/** As `logger`, but a call without arguments returns the address in slot 0 as a list, as `facetAddresses()` does. */
const diamondCode: Hex = `0x36600414601957${logger}5b6020600052600160205260005460405260606000f3`;

/** Has `to` emit an event without indexed arguments. */
const emit = (to: Hex, event: string, values: unknown[]) => {
  const parameters = parseAbiParameters(event.slice(event.indexOf("(") + 1, -1));
  const data = encodeAbiParameters(parameters, values as never);
  return node.transact({ to, data: `${keccak256(toHex(event))}${data.slice(2)}` });
};

test("a module of a Safe that is enabled or disabled is an event that names it", async () => {
  const singleton: Hex = "0x00000000000000000000000000000000005afe01";
  await node.client.setCode({ address: singleton, bytecode: `0x${logger}` });
  const { address } = await node.deploy("MultisigProxy", singleton, toHex(0, { size: 32 }));
  const module = await node.deploy("Desk");
  await world.register(module, { label: "Allowance module" });
  const rule = await world.watch({ address }, upgrades, changes);
  await world.mineAfterPollInterval();
  await emit(address, "EnabledModule(address)", [module.address]);
  await emit(address, "DisabledModule(address)", [module.address]);
  await world.catchUp();
  const named = `by ${short(deployer)}: Allowance module (${short(module.address)})`;
  expect((await world.events(rule)).map(({ title }) => title).reverse()).toEqual([
    expect.stringContaining(`module enabled ${named}`),
    expect.stringContaining(`module disabled ${named}`),
  ]);
});

test("a cut of a diamond is an event that names the facets, and so is a change without a log", async () => {
  const [first, second] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const address: Hex = "0x0000000000000000000000000000000000d1a001";
  const setFacet = (facet: Hex) => node.client.setStorageAt({ address, index: "0x0", value: pad(facet) });
  await node.client.setCode({ address, bytecode: diamondCode });
  await setFacet(first.address);
  const rule = await world.watch({ address }, upgrades, changes);
  await world.mineAfterPollInterval();
  const cuts = [
    [second.address, 0, ["0x12345678", "0x12345679"]],
    [zeroAddress, 2, ["0x1234567a"]],
  ];
  await setFacet(second.address);
  await emit(address, "DiamondCut((address,uint8,bytes4[])[],address,bytes)", [cuts, zeroAddress, "0x"]);
  await world.catchUp();
  const titles = async () =>
    (await world.events(rule)).map(({ title }) => title.split(": ").slice(1).join(": "));
  const cut = `facets changed by ${short(deployer)}: 2 functions added from ${short(second.address)}, 1 function removed from ${short(first.address)}`;
  expect(await titles()).toEqual([cut]);
  await node.wait(slowCheckSeconds);
  await world.mineAfterPollInterval();
  expect(await titles(), "the next check finds what the cut announced").toEqual([cut]);
  await setFacet(first.address);
  await node.wait(slowCheckSeconds);
  await world.mineAfterPollInterval();
  await world.mineAfterPollInterval();
  const change = `facets removed ${short(second.address)}, added ${short(first.address)}`;
  expect(await titles()).toEqual([`upgraded: ${change}`, cut]);
});
