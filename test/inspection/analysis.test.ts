import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { ContractAnalysis } from "../../src/wire/inspection/contract-analysis.ts";
import { makeKeyClient } from "../api/orgs/keys.ts";
import { harness } from "../support/harness.ts";
import { deployProxy, deploySafe } from "./deployments.ts";
import { makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, h, watch, get } = world;
const [boss, friend, third] = node.accounts as [Hex, Hex, Hex];
const analysis = (id: string) => get<ContractAnalysis>(`/contracts/${id}/analysis`);

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
  const byId = new Map(found.findings.map((finding) => [finding.id, finding]));
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
    const safe = await deploySafe(node, [boss, friend], 2n);
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
    const { proxy } = await deployProxy(node, admin);
    const { findings } = await analysis((await watch(proxy.address)).id);
    return findings.find(({ id }) => id === "upgradeable")?.severity;
  };
  expect(await severityOf(boss)).toBe("critical");
  expect(await severityOf((await deploySafe(node, [boss, friend], 2n)).address)).toBe("warning");
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
