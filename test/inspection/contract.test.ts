import { getContractAddress, type Hex, zeroAddress } from "viem";
import { expect, test } from "vitest";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { ContractAnalysis, ProxyState } from "../../src/wire/inspection/inspection.ts";
import { makeKeyClient } from "../api/orgs/keys.ts";
import { harness } from "../harness.ts";
import { sourcifyFound, sourcifyNotFound } from "./service-stubs.ts";
import { makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, h, watch, get, sourcify } = world;
const [boss, friend, third] = node.accounts as [Hex, Hex, Hex];

const proxyState = (id: string) => get<ProxyState>(`/contracts/${id}/proxy-state`);
const analysis = (id: string) => get<ContractAnalysis>(`/contracts/${id}/analysis`);
const reload = (id: string) => get<Contract>(`/contracts/${id}`);
const makeSafe = async (owners: Hex[], threshold: bigint) => {
  const singleton = await node.deploy("Multisig");
  return node.deploy("MultisigProxy", singleton.address, singleton.encode("setup", [owners, threshold]));
};
const makeProxy = async (admin: Hex) => {
  const box = await node.deploy("BoxV1");
  const proxy = await node.deploy(
    "TransparentUpgradeableProxy",
    box.address,
    admin,
    box.encode("store", [1n]),
  );
  const adminAddress = getContractAddress({ from: proxy.address, nonce: 1n });
  return { box, proxy, admin: node.at(adminAddress, node.artifact("ProxyAdmin").abi) };
};

test("the proxy state of a transparent proxy shows its slots, the owner of its admin and its history", async () => {
  const { box, proxy, admin } = await makeProxy(boss);
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
    async () => (await makeSafe([boss, friend, third], 2n)).address,
    { kind: "safe", threshold: 2, owners: [boss, friend, third] },
  ],
  [
    "a timelock",
    async () => (await node.deploy("TimelockController", 7_200n, [boss], [boss], boss)).address,
    { kind: "timelock", delay_seconds: 7_200 },
  ],
])("the proxy state identifies %s as owner of the admin", async (_what, make, expected) => {
  const address = await make();
  const { proxy } = await makeProxy(address);
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

test("a chain that cannot be read gives 503 without details of its endpoint", async () => {
  const away = await harness({ env: { RPC_LOCAL: "http://user:hunter2@127.0.0.1:1/key" } });
  const { client } = await away.person();
  const { body } = await client.post("/contracts", { chain: "local", address: boss });
  const paths = ["proxy-state", "analysis"].map((path) => `/contracts/${(body as Contract).id}/${path}`);
  const replies = await Promise.all([
    ...paths.map((path) => client.get(path)),
    client.post("/contracts/inspect", { chain: "local", address: boss }),
  ]);
  for (const reply of replies) {
    expect([reply.status, reply.body]).toMatchObject([503, { code: "chain_unavailable" }]);
    expect(reply.headers["retry-after"]).toBeDefined();
    expect(reply.text).not.toMatch(/hunter2|127\.0\.0\.1/);
  }
});

test("the analysis of a token lists its owner, privileged functions and findings with their targets", async () => {
  const { address } = await node.deploy("Token", 1_000n);
  const { id } = await watch(address, { selected_targets: [{ target_type: "ownership_change" }] });
  const found = await analysis(id);
  expect(found).toMatchObject({ contract_id: id, address, contract_type: "erc20", category: "token" });
  expect(found.powers).toEqual([{ power: "owner", role: null, holder: { kind: "eoa", address: boss } }]);
  expect(found.standards).toEqual(expect.arrayContaining(["ERC-20", "ERC-173", "Pausable"]));
  expect(found.privileged_functions.map(({ signature }) => signature)).toEqual(
    expect.arrayContaining(["mint(address,uint256)", "pause()", "transferOwnership(address)"]),
  );
  const byId = new Map(found.findings.map((one) => [one.id, one]));
  expect(byId.get("owned")).toMatchObject({
    severity: "warning",
    target: { target_type: "ownership_change" },
    is_watched: true,
  });
  expect(byId.get("mintable")).toMatchObject({ target: { target_type: "token_supply" }, is_watched: false });
  for (const { target } of found.findings) {
    if (!target) continue;
    const reply = await world.owner.client.post(`/contracts/${id}/targets`, target);
    expect([target.target_type, reply.status]).toEqual([target.target_type, 201]);
  }
  expect(
    (await analysis(id)).findings.filter(({ target }) => target).every(({ is_watched }) => is_watched),
  ).toBe(true);
});

test.each(["Roles", "ListedRoles"])(
  "the analysis of %s lists the current role members, but not former ones",
  async (name) => {
    const safe = await makeSafe([boss, friend], 2n);
    const roles = await node.deploy(name, boss, safe.address);
    await roles.send("grantRole", [`0x${"0".repeat(64)}`, third]);
    await roles.send("revokeRole", [`0x${"0".repeat(64)}`, third]);
    const { id } = await watch(roles.address);
    const { powers, standards, problems } = await analysis(id);
    expect(powers.map(({ role, holder }) => `${role} ${holder.kind} ${holder.address}`).sort()).toEqual([
      `DEFAULT_ADMIN_ROLE eoa ${boss}`,
      `MINTER_ROLE safe ${safe.address}`,
    ]);
    expect(standards).toContain("AccessControl");
    expect(problems).toEqual([]);
  },
);

test("a proxy upgradeable by a single key is a critical finding, one owned by a multisig is not", async () => {
  const severityOf = async (admin: Hex) => {
    const { proxy } = await makeProxy(admin);
    const { findings } = await analysis((await watch(proxy.address)).id);
    return findings.find(({ id }) => id === "upgradeable")?.severity;
  };
  expect(await severityOf(boss)).toBe("critical");
  expect(await severityOf((await makeSafe([boss, friend], 2n)).address)).toBe("warning");
});

test("the analysis of a feed lists its aggregator as a dependency", async () => {
  const feed = await node.deploy("Feed", 10n ** 8n);
  const proxy = await node.deploy("FeedProxy", feed.address, "ETH / USD");
  const { dependencies } = await analysis((await watch(proxy.address)).id);
  expect(dependencies).toContainEqual({ kind: "price_aggregator", address: feed.address });
});

test("the analysis of another org's contract gives 404, and a key without the chain in its scope gets 403", async () => {
  const { id } = await watch((await node.deploy("Desk")).address);
  const stranger = await h.person();
  const scoped = await makeKeyClient(h, world.owner, { chain_scope: [1] });
  for (const path of ["analysis", "proxy-state", "bridge-config"]) {
    expect((await stranger.client.get(`/contracts/${id}/${path}`)).status).toBe(404);
    expect((await scoped.get(`/contracts/${id}/${path}`)).status).toBe(403);
  }
});

test("the inspection job fills in a new contract, but keeps values set by a user", async () => {
  const box = await node.deploy("BoxV1");
  const token = await node.deploy("Token", 1n);
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  sourcify.respond = (url) =>
    url.pathname.endsWith(box.address) ? sourcifyFound(box.abi, "BoxV1") : sourcifyNotFound;
  const [filled, chosen] = [await watch(proxy.address), await watch(token.address, { abi: [] })];
  expect(filled).toMatchObject({
    category: "other",
    contract_type: "unknown",
    is_proxy: false,
    abi_source: "none",
    is_verified: null,
  });
  await world.owner.client.patch(`/contracts/${chosen.id}`, { category: "dex" });
  await h.runJobs();
  expect(await reload(filled.id)).toMatchObject({
    contract_type: "proxy",
    is_proxy: true,
    implementation_address: box.address,
    is_verified: true,
    abi_source: "registry",
    status: "PENDING",
  });
  expect(await reload(chosen.id)).toMatchObject({
    category: "dex",
    contract_type: "erc20",
    abi_source: "upload",
    is_verified: false,
  });
  const requestCount = sourcify.requests.length;
  h.clock.advance(3_600);
  await h.runJobs();
  expect(sourcify.requests).toHaveLength(requestCount);
});

test("a contract is inspected again after an upgrade", async () => {
  const [box, next] = [await node.deploy("BoxV1"), await node.deploy("BoxV2")];
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  const { id } = await watch(proxy.address);
  sourcify.respond = (url) =>
    url.pathname.endsWith(next.address) ? sourcifyFound(next.abi, "BoxV2") : sourcifyNotFound;
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ is_verified: false, abi_source: "bytecode" });
  await node.at(proxy.address, box.abi).send("upgradeToAndCall", [next.address, "0x"]);
  // Simulates the engine, which records the new implementation.
  await h.app.db
    .updateTable("contracts")
    .set({ implementation_address: next.address })
    .where("id", "=", id)
    .execute();
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    is_verified: true,
    abi_source: "registry",
    implementation_address: next.address,
  });
});

test("an address without code has status ERROR until code is deployed, and a paused contract stays PAUSED", async () => {
  const later = (await node.deploy("Desk")).address
    .replace(/.$/, (digit) => (digit === "1" ? "2" : "1"))
    .toLowerCase() as Hex;
  const { id } = await watch(later, { selected_targets: [{ target_type: "tx_rate" }] });
  const paused = await watch(`0x${"7".repeat(40)}`);
  await world.owner.client.post(`/contracts/${paused.id}/pause`);
  await h.runJobs();
  expect(await reload(id)).toMatchObject({
    status: "ERROR",
    status_reason: "There is no code at this address.",
  });
  expect((await reload(paused.id)).status).toBe("PAUSED");
  await node.client.setCode({ address: later, bytecode: "0x00" });
  await h.runJobs();
  expect((await reload(id)).status).toBe("ERROR");
  h.clock.advance(30);
  await h.runJobs();
  expect(await reload(id)).toMatchObject({ status: "MONITORING", status_reason: null });
});
