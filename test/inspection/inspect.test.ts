import { type Hex, keccak256, pad, toHex } from "viem";
import { expect, test } from "vitest";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, inspect } = world;
const [boss, friend] = node.accounts as [Hex, Hex];
const slotOf = (name: string) => toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 });

test("an unverified token is classified by its bytecode, and every suggested target can be created", async () => {
  const { address } = await node.deploy("Token", 1_000n);
  const inspection = await inspect(address);
  expect(inspection).toMatchObject({
    chain: "local",
    chain_id: 31337,
    address,
    has_code: true,
    is_proxy: false,
    proxy: null,
    abi_source: "bytecode",
    is_verified: false,
    token: { name: "Token", symbol: "TKN", decimals: 6, total_supply: "1000" },
    category: "token",
    contract_type: "erc20",
  });
  expect(inspection.abi.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["transfer", "mint", "pause", "owner"]),
  );
  // transferMany is not a standard function, so its name is unknown.
  expect(inspection.unnamed_selectors).toHaveLength(1);
  const types = inspection.suggested_targets.map(({ target_type }) => target_type);
  expect(types).toEqual(
    expect.arrayContaining(["token_supply", "large_transfer", "ownership_change", "pause_state", "tx_rate"]),
  );
  const { id } = await world.watch(address);
  for (const { reason: _, ...target } of inspection.suggested_targets) {
    const reply = await world.owner.client.post(`/contracts/${id}/targets`, target);
    expect([target.target_type, reply.status, (reply.body as Target).status]).toEqual([
      target.target_type,
      201,
      "no_data",
    ]);
  }
});

test("an inspection does not create a contract", async () => {
  const { address } = await node.deploy("Desk");
  const before = await world.get<unknown[]>("/contracts");
  await inspect(address);
  expect(await world.get("/contracts")).toEqual(before);
});

test("an address without code is a wallet, and an invalid address gets 422", async () => {
  expect(await inspect(friend)).toMatchObject({
    has_code: false,
    is_proxy: false,
    abi: [],
    contract_type: "wallet",
  });
  const wrong = await world.owner.client.post("/contracts/inspect", { chain: "nowhere", address: "0x12" });
  expect(wrong.status).toBe(422);
  expect((wrong.body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc[1])).toEqual([
    "chain",
    "address",
  ]);
});

test("the implementation of every kind of proxy is found", async () => {
  const box = await node.deploy("BoxV1");
  const beacon = await node.deploy("UpgradeableBeacon", box.address, boss);
  const singleton = await node.deploy("Multisig");
  const plain = async (kind: string, ...args: unknown[]) => (await node.deploy(kind, ...args)).address;
  const store = node.at(box.address, box.abi).encode("store", [1n]);
  const withCode = async (number: number, bytecode: Hex) => {
    const address = pad(toHex(0xc0de00 + number), { size: 20 });
    await node.client.setCode({ address, bytecode });
    return address;
  };
  const target = box.address.slice(2).toLowerCase();
  const cases: [string, string, string][] = [
    ["eip1967", await plain("ERC1967Proxy", box.address, store), box.address],
    ["eip1967", await plain("TransparentUpgradeableProxy", box.address, boss, store), box.address],
    ["beacon", await plain("BeaconProxy", beacon.address, store), box.address],
    ["eip1822", await plain("SlotProxy", keccak256(toHex("PROXIABLE")), box.address), box.address],
    [
      "openzeppelin_legacy",
      await plain("SlotProxy", keccak256(toHex("org.zeppelinos.proxy.implementation")), box.address),
      box.address,
    ],
    [
      "safe",
      await plain("MultisigProxy", singleton.address, singleton.encode("setup", [[boss, friend], 2n])),
      singleton.address,
    ],
    ["eip897", await plain("TellingProxy", box.address), box.address],
    [
      "eip1167",
      await withCode(1, `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`),
      box.address,
    ],
    [
      "eip1167",
      await withCode(2, `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3c0ffee00`),
      box.address,
    ],
    [
      "eip1167",
      await withCode(3, `0x5f5f365f5f37365f73${target}5af43d5f5f3e5f3d91602a57fd5bf3`),
      box.address,
    ],
    ["eip7702", await withCode(4, `0xef0100${target}`), box.address],
  ];
  for (const [kind, address, implementation] of cases) {
    const found = await inspect(address);
    expect([kind, found.is_proxy, found.proxy]).toMatchObject([
      kind,
      true,
      { kind, implementation, problem: null },
    ]);
    expect([kind, found.proxy?.hops.length]).toEqual([kind, 1]);
  }
  expect((await inspect(beacon.address)).is_proxy).toBe(false);
  expect((await inspect(box.address)).is_proxy).toBe(false);
});

test("the implementation of a minimal proxy with a shortened address is found", async () => {
  const at = pad("0xabcdef", { size: 20 });
  await node.client.setCode({ address: at, bytecode: "0x00" });
  const clone = pad("0xc0defe", { size: 20 });
  await node.client.setCode({
    address: clone,
    bytecode: "0x363d3d373d3d3d363d62abcdef5af43d82803e903d91601a57fd5bf3",
  });
  expect((await inspect(clone)).proxy?.implementation?.toLowerCase()).toBe(at);
});

test("a chain of proxies is followed to its end, to a cycle or to the maximum length", async () => {
  const box = await node.deploy("BoxV1");
  const slot = slotOf("eip1967.proxy.implementation");
  const chainOf = async (length: number) => {
    let address: Hex = box.address;
    for (let at = 0; at < length; at++) ({ address } = await node.deploy("TellingProxy", address));
    return address;
  };
  const two = await inspect(await chainOf(2));
  expect(two.proxy).toMatchObject({ implementation: box.address, problem: null });
  expect(two.proxy?.hops).toHaveLength(2);
  expect((await inspect(await chainOf(7))).proxy).toMatchObject({
    problem: expect.stringContaining("longer than 5"),
  });
  const first = await node.deploy("SlotProxy", slot, box.address);
  const second = await node.deploy("SlotProxy", slot, first.address);
  await first.send("point", [second.address]);
  expect((await inspect(first.address)).proxy).toMatchObject({
    problem: "The chain of proxies is circular.",
  });
});

test("a diamond is shown with its facets and their merged ABI", async () => {
  const [box, token] = [await node.deploy("BoxV1"), await node.deploy("Token", 1n)];
  const { address } = await node.deploy("Facets", [box.address, token.address]);
  const found = await inspect(address);
  expect(found.proxy).toMatchObject({
    kind: "diamond",
    implementation: null,
    facets: [box.address, token.address],
  });
  expect(found.abi.map(({ name }) => name)).toEqual(expect.arrayContaining(["upgradeToAndCall", "transfer"]));
});

test("contract types are distinguished, each with a reason", async () => {
  const feed = await node.deploy("Feed", 2_000n * 10n ** 8n);
  const library = await node.deploy("MessageLibrary");
  const endpoint = await node.deploy("MessageEndpoint", 40_001, library.address, library.address);
  const cases: [string, string, string, string][] = [
    [
      "oracle_feed",
      "oracle",
      (await node.deploy("FeedProxy", feed.address, "ETH / USD")).address,
      "ETH / USD",
    ],
    ["governor", "governance", (await node.deploy("Parliament")).address, "voting"],
    [
      "timelock",
      "governance",
      (await node.deploy("TimelockController", 3_600n, [boss], [boss], boss)).address,
      "3600 seconds",
    ],
    ["bridge_oapp", "bridge", (await node.deploy("BridgeApp", endpoint.address, boss)).address, "endpoint"],
  ];
  for (const [contract_type, category, address, reason] of cases) {
    const found = await inspect(address);
    expect(found).toMatchObject({ contract_type, category });
    expect(found.contract_type_reasons.join(" ")).toContain(reason);
    expect(found.suggested_targets.length).toBeGreaterThan(0);
  }
});
