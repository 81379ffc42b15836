import { afterAll, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { meterOf } from "../../src/meters/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { templates } from "../../src/templates/index.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import { catchUp } from "../support/catch-up.ts";
import type { Client } from "../support/client.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { hashSources, storedArtifacts } from "./artifacts.ts";
import { openDetectionChain, type Sending } from "./chain.ts";
import { incidents } from "./incidents/index.ts";
import { post } from "./protection.ts";
import { mineOrdinary, playAttacks, type Staged, stageAll } from "./replay.ts";
import { momentAt } from "./scene.ts";
import { verifiersRemoved } from "./verifiers-removed.ts";

/** The templates that the attack of an incident must fire, by a part of its name. */
const firedBy: Record<string, string[]> = {
  Euler: [
    ...["asset_drained", "asset_down_in_a_day", "vault_share_price_drop"],
    ...["lending_tvl_drop", "dex_liquidity_removed", "bridge_outflow_spike"],
  ],
  SafeMoon: ["dex_price_jump", "dex_price_drop", "dex_volume_anomaly"],
  KyberSwap: ["dex_volume_anomaly_v3"],
  UwU: ["lending_liquidation_spike", "lending_utilization_max", "lending_utilization_high"],
  Sonne: ["vault_share_price_jump", "dex_failed_tx", "gov_setting_changed", "lending_large_borrow"],
  "deUSD collateral": ["lending_bad_debt", "lending_paused"],
  Moonwell: ["oracle_invalid_price", "oracle_price_drop", "oracle_price_jump"],
  Venus: ["oracle_stale", "oracle_aggregator_changed"],
  "its peg": ["oracle_depeg", "oracle_deviation", "oracle_deviation_critical"],
  "in favour": [
    ...["gov_proposal_created", "gov_proposal_executed", "gov_timelock_queued"],
    ...["gov_timelock_delay_cut", "gov_ownership_change"],
  ],
  UXLINK: ["gov_safe_threshold", "safe_execution_failed"],
  Orbit: [
    "gov_upgrade",
    "bridge_upgraded",
    "bridge_native_outflow",
    "native_drained",
    "native_down_in_a_day",
    "bridge_silent",
  ],
  Griffin: ["token_supply_jump", "bridge_supply_jump"],
  Gala: ["token_supply_drop"],
  Inferno: ["token_many_approvals", "token_many_transfers"],
  Keeper: ["wallet_silent", "wallet_balance_low"],
  Curve: ["dex_pool_imbalance"],
  Socket: ["gov_rare_event"],
  Verifiers: ["bridge_single_verifier", "bridge_config_changed"],
  // Contracts of no standard
  Munchables: ["gov_setting_changed", "lending_paused", "vault_share_price_jump", "asset_drained"],
  Polter: ["gov_setting_changed", "lending_liquidation_spike", "lending_utilization_max"],
  Flooring: ["asset_drained", "token_many_approvals"],
  Harmony: ["gov_ownership_change", "safe_execution_failed", "native_drained"],
};

const expectedOf = ({ incident }: Staged) =>
  Object.entries(firedBy).find(([part]) => incident.name.includes(part))?.[1] ?? [];

test("the compiled contracts of the incidents are current", () => {
  expect(storedArtifacts().sources).toBe(hashSources());
});

/** The attacks on Solana are in `test/solana/templates.test.ts`. */
test("every template of EVM chains is fired by an incident", () => {
  const onEvm = templates.filter(({ target_type }) => meterOf(target_type)?.families.includes("evm"));
  expect([...new Set(Object.values(firedBy).flat())].sort()).toEqual(onEvm.map(({ id }) => id).sort());
});

/** The attacks take most of a minute, so that a short run plays a part of them. */
const playsEvery = runSize("PLAY_EVERY", { short: 20, long: 1 });

test("every template fires when its attack is played on a contract of its kind", async () => {
  const world = await openWorld();
  const { chain, client, follow } = world;
  const isNeeded = ({ name }: { name: string }) => Object.keys(firedBy).some((part) => name.includes(part));
  const needed = [...incidents.filter(isNeeded), verifiersRemoved];
  const staged = await stageAll(
    chain,
    needed.filter((_, index) => index % playsEvery === 0),
  );
  await follow();
  const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
  const { id: channel_id } = await post<{ id: string }>(client, "/channels", channel);
  const templateOf = new Map<string, string>();
  for (const one of staged)
    for (const address of Object.values(one.scene.watched))
      for (const [rule, template] of await applyTo(client, channel_id, one, address))
        templateOf.set(rule, template);
  await learnPast(world, staged);
  await floodWithSwaps(world, staged);
  await playAttacks(chain, staged, { traffic: false, waitSeconds: 600, afterBlock: follow });
  // A bridge is silent for six hours.
  await chain.mine(chain.now() + 22_000);
  await follow();
  const events = (await client.get("/alerts/history", { query: { limit: "200" } })).body as AlertEvent[];
  const fired = new Set(events.map(({ rule_id }) => templateOf.get(rule_id ?? "")));
  expect(staged.flatMap(expectedOf).filter((id) => !fired.has(id))).toEqual([]);
}, 600_000);

async function openWorld() {
  const chain = await openDetectionChain(new Date(Date.now() - 14 * 3_600_000));
  afterAll(chain.stop);
  const h = await harness({ env: { RPC_LOCAL: chain.url } });
  const { client } = await h.personOn("enterprise");
  const multicall3 = (await chain.deploy("Multicall")).address;
  const local = { ...(chainOf("local") as Chain), multicall3 } as Chain;
  const reader = makeEvmReader({ chain: local, urls: [chain.url], clock: h.clock, log: h.app.log });
  afterAll(() => reader.close());
  const follower = new Follower(h.app, local, reader);
  const follow = async () => {
    h.clock.advance(chain.now() - h.clock.now().getTime() / 1000);
    await catchUp(follower);
  };
  return { chain, client, follow };
}

/** Adds a contract with its suggested targets and the templates of its incident; returns the template of each rule. */
async function applyTo(
  client: Client,
  channel_id: string,
  staged: Staged,
  address: string,
): Promise<[string, string][]> {
  const body = { chain: "local", address };
  const { suggested_targets } = await post<Inspection>(client, "/contracts/inspect", body);
  const selected_targets = [...suggested_targets, ...(staged.scene.targets ?? [])].map(
    ({ target_type, config }) => ({ target_type, config }),
  );
  const { id } = await post<Contract>(client, "/contracts", { ...body, selected_targets });
  const path = `/contracts/${id}/alert-templates/apply`;
  const chosen = { template_ids: expectedOf(staged), channel_id };
  const { rules } = await post<TemplatesApplied>(client, path, chosen);
  return rules.map(({ rule_id, template_id }) => [rule_id, template_id]);
}

type World = Awaited<ReturnType<typeof openWorld>>;

const pools = ["SafeMoon", "KyberSwap"];

/** Some templates compare with more than three hours of the past: the rhythm of a keeper, and the usual swaps and borrows. */
async function learnPast({ chain, follow }: World, staged: Staged[]): Promise<void> {
  const keepers = named(staged, "Keeper");
  for (let mined = 0; mined < 14; mined++) {
    const more = [
      // A block has the swaps of one minute, because they are counted by minute.
      ...trafficOf(named(staged, ...pools), chain.now(), 60),
      // Borrows are rare, so that each block has those of some hours.
      ...trafficOf(named(staged, "Sonne"), chain.now(), 4 * 3_600),
    ];
    await mineOrdinary(chain, keepers, 960, more);
    await follow();
  }
}

/** The swaps of half a day come within a minute. */
async function floodWithSwaps({ chain, follow }: World, staged: Staged[]): Promise<void> {
  await mineOrdinary(chain, [], 60, trafficOf(named(staged, ...pools), chain.now(), 12 * 3_600));
  await follow();
}

function named(staged: Staged[], ...parts: string[]): Staged[] {
  return staged.filter(({ incident: { name } }) => parts.some((part) => name.includes(part)));
}

function trafficOf(staged: Staged[], time: number, seconds: number): Sending[] {
  return staged.flatMap(({ scene, random }) => scene.traffic?.(momentAt(time, seconds, random)) ?? []);
}
