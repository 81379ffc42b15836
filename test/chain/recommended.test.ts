import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { AlertTemplate, TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import { post } from "../detection/protection.ts";
import { sourcifyNotFound, startServiceStub } from "../inspection/service-stubs.ts";
import { makeChainWorld } from "./world.ts";

/** No contract has published source. */
const { url } = await startServiceStub(() => sourcifyNotFound);
const world = await makeChainWorld({ SOURCIFY_URL: url, ETHERSCAN_URL: url, SIGNATURES_URL: url });
const { node, owner } = world;
const { client } = owner;
type Account = `0x${string}`;
const [deployer, victim, attacker, keeper, ...otherAccounts] = node.accounts as [
  ...[Account, Account, Account, Account],
  ...Account[],
];
const units = (amount: number) => BigInt(amount) * 10n ** 6n;
const makeToken = () => node.deploy("Token", units(1_000_000));

const channel = (
  (
    await client.post("/channels", {
      type: "webhook",
      name: "On-call",
      config: { url: "https://example.com/hook" },
    })
  ).body as { id: string }
).id;

/** Adds a contract as a newcomer does: with the suggested targets and the recommended rules. */
async function protect(address: string) {
  await world.catchUp();
  const inspection = await post<Inspection>(client, "/contracts/inspect", { chain: "local", address });
  const selected_targets = inspection.suggested_targets.map(({ target_type, config }) => ({
    target_type,
    config,
  }));
  const { id } = (await client.post("/contracts", { chain: "local", address, selected_targets }))
    .body as Contract;
  const path = `/contracts/${id}/alert-templates/apply`;
  const { rules, skipped } = await post<TemplatesApplied>(client, path, { channel_id: channel });
  // Two readings before anything happens.
  await world.mineAfterPollInterval();
  await world.mineAfterPollInterval();
  return { id, inspection, rules, skipped };
}

/** Lets the time of a block pass, and sends what the attacker does. */
async function attack(send: () => Promise<unknown>): Promise<void> {
  await node.wait(12);
  await send();
  await world.catchUp();
}

/** Tests let the time of the chain pass, which the service does not know. */
async function setClockToChain(): Promise<void> {
  const { timestamp } = await node.client.getBlock();
  world.h.clock.advance(Number(timestamp) - world.h.clock.now().getTime() / 1000);
}

/** The names and severities of the events of a contract. */
async function alertsOf(contract_id: string): Promise<[string, string][]> {
  const events = (await client.get("/alerts/history", { query: { contract_id } })).body as AlertEvent[];
  return events.map(({ rule_name, severity }): [string, string] => [rule_name, severity]).sort();
}

test("a tenfold mint of a token is critical in its block", async () => {
  const token = await makeToken();
  const { id, inspection } = await protect(token.address);
  expect(inspection).toMatchObject({
    contract_type: "erc20",
    category: "token",
    abi_source: expect.not.stringMatching("registry"),
  });
  await token.send("transfer", [victim, units(1_000)]);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await attack(() => token.send("mint", [attacker, units(9_000_000)]));
  expect(await alertsOf(id)).toEqual([["Supply up within an hour", "critical"]]);
});

test("the list of recommended templates of a new contract shows what will be created, and stores nothing", async () => {
  const token = await makeToken();
  await world.catchUp();
  const targets = [{ target_type: "token_supply" }];
  const body = { chain: "local", address: token.address, selected_targets: targets };
  const { id } = await post<Contract>(client, "/contracts", body);
  const stored = () =>
    world.h.app.db.selectFrom("contracts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const before = await stored();
  expect(before.profile).toBeNull();
  const list = async () =>
    (await client.get(`/contracts/${id}/alert-templates`, { query: { category: "recommended" } }))
      .body as AlertTemplate[];
  const listed = await list();
  expect(await stored()).toEqual(before);
  const applicable = listed.filter(({ applicable }) => applicable).map(({ name }) => name);
  expect(applicable).toContain("Supply up within an hour");
  await world.h.runJobs();
  expect((await stored()).profile).not.toBeNull();
  expect(await list()).toEqual(listed);
});

test("a vault that loses its assets is critical in the block of the theft", async () => {
  const token = await makeToken();
  const vault = await node.deploy("Vault", token.address);
  await token.send("approve", [vault.address, units(1_000)]);
  await vault.send("deposit", [units(1_000), deployer]);
  const { id, inspection } = await protect(vault.address);
  expect(inspection).toMatchObject({ contract_type: "vault", category: "vault" });
  await vault.send("withdraw", [units(50), deployer, deployer]);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await attack(() => vault.send("exploit", [attacker, units(900)], { from: attacker }));
  expect(await alertsOf(id)).toEqual([
    ["Tokens down by half within a day: TKN", "critical"],
    ["Tokens drained: TKN", "critical"],
    ["Value of a share down by 1 % in an hour", "critical"],
  ]);
});

test("a drained pool of unequal assets is critical in its block, and its ordinary trades are not", async () => {
  const [first, second] = [await makeToken(), await makeToken()];
  const pair = await node.deploy("Pair", first.address, second.address);
  await first.send("transfer", [pair.address, units(10)]);
  await second.send("transfer", [pair.address, units(25_000)]);
  await pair.send("sync");
  const { id, inspection } = await protect(pair.address);
  expect(inspection).toMatchObject({ contract_type: "dex_pool", category: "dex" });
  await second.send("transfer", [pair.address, units(500)]);
  await pair.send("sync");
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await attack(() => pair.send("take", [second.address, attacker, units(20_000)], { from: attacker }));
  expect(await alertsOf(id)).toEqual([
    ["Price down by 10 % in five minutes", "critical"],
    ["Tokens down by half within a day: TKN", "critical"],
    ["Tokens drained: TKN", "critical"],
  ]);
});

test("the heartbeat of a feed is learned from its rounds, and a stale, jumping or zero price is critical", async () => {
  const feed = await node.deploy("RoundFeed");
  const now = Number((await node.client.getBlock()).timestamp);
  for (let round = 12; round >= 0; round--)
    await feed.send("push", [2_000_0000_0000n, BigInt(now - round * 86_400)]);
  const { id, inspection, rules } = await protect(feed.address);
  expect(
    inspection.suggested_targets.find(({ target_type }) => target_type === "oracle_staleness")?.config,
  ).toEqual({
    heartbeat_seconds: 86_400,
  });
  expect(rules.find(({ template_id }) => template_id === "oracle_stale")?.threshold_source).toMatch(
    /heartbeat of 1 d/,
  );
  await node.wait(7_200);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await attack(async () => feed.send("push", [0n, BigInt((await node.client.getBlock()).timestamp)]));
  expect(await alertsOf(id)).toContainEqual(["Price zero or negative", "critical"]);
  await node.wait(90_000);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toContainEqual(["Stale price feed", "critical"]);
});

test("tokens that leave a wallet are critical in the block in which another contract moves them", async () => {
  const token = await makeToken();
  await token.send("transfer", [victim, units(5_000)]);
  const { id, inspection } = await protect(victim);
  expect(inspection).toMatchObject({ contract_type: "wallet", category: "wallet" });
  await token.send("approve", [attacker, units(5_000)], { from: victim });
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await attack(() => token.send("transferFrom", [victim, attacker, units(4_000)], { from: attacker }));
  expect(await alertsOf(id)).toEqual([["Tokens drained: TKN", "critical"]]);
});

test("a keeper that stops is critical after three of its usual intervals", async () => {
  const { id } = await protect(keeper);
  for (let sent = 0; sent < 10; sent++) {
    await node.wait(300);
    await node.transact({ to: deployer }, { from: keeper });
    await world.catchUp();
  }
  await node.wait(600);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([]);
  await node.wait(600);
  await world.mineAfterPollInterval();
  expect(await alertsOf(id)).toEqual([["Wallet stopped its regular transactions", "critical"]]);
});

test("approvals of one unusual spender by many holders are a warning", async () => {
  const token = await makeToken();
  const { id } = await protect(token.address);
  for (const holder of otherAccounts.slice(0, 8))
    await token.send("approve", [attacker, 1n], { from: holder });
  await world.catchUp();
  expect(await alertsOf(id)).toEqual([["Many approvals of one spender", "warning"]]);
});

test("a dry run creates nothing, and a rule that was noisy in the past is created in shadow mode", async () => {
  await setClockToChain();
  const feed = await node.deploy("RoundFeed");
  const price = async (answer: bigint) =>
    feed.send("push", [answer, BigInt((await node.client.getBlock()).timestamp)]);
  await price(2_000_0000_0000n);
  await world.catchUp();
  const { id } = (
    await client.post("/contracts", {
      chain: "local",
      address: feed.address,
      selected_targets: [{ target_type: "oracle_price" }],
    })
  ).body as Contract;
  for (let half = 0; half < 6; half++) {
    await node.wait(1_800);
    await price(half % 2 === 0 ? 3_000_0000_0000n : 2_000_0000_0000n);
    await world.mineAfterPollInterval();
  }
  await setClockToChain();
  const body = {
    category: "oracle",
    template_ids: ["oracle_price_jump", "oracle_invalid_price"],
    channel_id: channel,
  };
  const path = `/contracts/${id}/alert-templates/apply`;
  const planned = (await client.post(path, { ...body, dry_run: true })).body as TemplatesApplied;
  expect((await client.get("/alerts", { query: { contract_id: id } })).body).toEqual([]);
  const { rules } = (await client.post(path, body)).body as TemplatesApplied;
  for (const found of [planned.rules, rules])
    expect(found).toMatchObject([
      { template_id: "oracle_price_jump", mode: "shadow", reason: expect.stringMatching(/times a day/) },
      {
        ...{ template_id: "oracle_invalid_price", mode: "live", reason: null, fires_per_day: null },
        estimated_from: { source: "readings" },
        estimate_problem: expect.stringMatching(/would not have fired.* 3 h.*too short/),
      },
    ]);
});

test("a rule that the chain's own events show to be noisy is created in shadow mode, before anything was measured", async () => {
  const token = await makeToken();
  for (let change = 0; change < 8; change++) {
    await node.wait(21_600);
    await token.send("transferOwnership", [deployer]);
  }
  const { rules } = await protect(token.address);
  const ruleOf = (id: string) => rules.find(({ template_id }) => template_id === id);
  expect(ruleOf("gov_ownership_change")).toMatchObject({
    mode: "shadow",
    reason: expect.stringMatching(/times a day/),
    fires_per_day: expect.any(Number),
    estimated_from: { source: "chain", blocks: expect.any(Number) },
  });
  expect(ruleOf("lending_paused")).toMatchObject({ mode: "live", fires_per_day: 0, estimate_problem: null });
});
