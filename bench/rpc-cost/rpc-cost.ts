import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pad } from "viem";
import type { App } from "../../src/app.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { addressOf, onFreshDatabase } from "../engine-world.ts";
import { CountingNode } from "./evm-node.ts";
import { benchSolanaCost } from "./solana.ts";

/** The simulated time that is counted and scaled to a day; longer runs differ by less than the noise of the activity. */
const hours = Number(process.env.BENCH_HOURS ?? 1);
const warmUpSeconds = 300;
/** The events that all watched contracts together emit. */
const eventsPerDay = 10_000;

type Scenario = {
  name: string;
  contracts: number;
  target?: string;
  config?: object;
  /** True if every event is an alert, whose sender is fetched. */
  hasRules?: true;
  limits: number[];
  isPerBlock?: true;
};

const transfer = { event_signature: "Transfer(address indexed from, address indexed to, uint256 value)" };
const everyEvent = { operator: "gte", threshold: 1, aggregation: "each", window_seconds: 60 };
const scenarios: Scenario[] = [
  { name: "nobody watched", contracts: 0, limits: [3_000, 3_000, 3_000] },
  {
    ...{ name: "1,000 contracts, event targets", contracts: 1_000, limits: [25_000, 60_000, 100_000] },
    ...{ target: "event_frequency", config: transfer, hasRules: true },
  },
  { name: "100 proxies", contracts: 100, target: "proxy_implementation", limits: [30_000, 70_000, 110_000] },
  {
    name: "100 balances at 15 s",
    contracts: 100,
    target: "native_balance",
    limits: [35_000, 70_000, 110_000],
  },
  { name: "receipts, per block", contracts: 1, target: "tx_rate", limits: [4, 3, 3], isPerBlock: true },
];
const chainKeys = ["ethereum", "base", "arbitrum"];

/** Counts the calls that following a chain takes, by what is watched and by block time. */
export async function benchRpcCost(): Promise<void> {
  await onFreshDatabase(async (app) => {
    if (process.env.BENCH_CHAIN === "solana") {
      if (!(await benchSolanaCost(app, hours))) throw new Error("The calls exceed a limit.");
      return;
    }
    const chains = chainKeys.map((key) => chainOf(key) as Chain);
    console.log(
      `| calls a day, one endpoint | ${chains.map(({ block_time_ms }) => `${block_time_ms / 1000} s blocks`).join(" | ")} |`,
    );
    console.log("|---|---|---|---|");
    let isWithin = true;
    for (const scenario of scenarios) {
      const cells: string[] = [];
      for (const [index, chain] of chains.entries()) {
        const { calls, blocks, methods } = await measure(app, chain, scenario);
        const value = scenario.isPerBlock ? calls / blocks : (calls * 24) / hours;
        const limit = scenario.limits[index] ?? 0;
        isWithin &&= value <= limit;
        cells.push(`${show(value)} (at most ${show(limit)})`);
        if (process.env.BENCH_METHODS) console.error(scenario.name, chain.chain, methods);
      }
      console.log(`| ${scenario.name} | ${cells.join(" | ")} |`);
    }
    isWithin = (await benchSolanaCost(app, hours)) && isWithin;
    if (!isWithin) throw new Error("The calls exceed a limit.");
  });
}

function show(value: number): string {
  return value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString("en");
}

async function measure(app: App, chain: Chain, scenario: Scenario) {
  await watch(app, chain, scenario);
  const addresses = Array.from({ length: scenario.contracts }, (_, number) => addressOf(number));
  const node = new CountingNode(chain, addresses, eventsPerDay / (86_400_000 / chain.block_time_ms));
  const reader = makeEvmReader({
    ...{ chain, urls: ["http://node.invalid/"], outbound: node, clock: node.clock },
  });
  const follower = new Follower(app, chain, reader);
  const runUntil = async (seconds: number) => {
    while (node.seconds < seconds) {
      const progress = await follower.step();
      if (progress === "idle" || follower.isAtHead) await follower.waitForWork(new AbortController().signal);
    }
  };
  await runUntil(warmUpSeconds);
  const before = node.snapshot();
  await runUntil(warmUpSeconds + hours * 3600);
  const counted = node.since(before);
  await follower.stop();
  await reader.close();
  return counted;
}

/** Replaces what is watched. */
async function watch(app: App, chain: Chain, scenario: Scenario): Promise<void> {
  const { contracts, target, config = {}, hasRules } = scenario;
  for (const table of ["contracts", "chain_cursors", "chain_blocks", "chain_leases", "samples"] as const)
    await app.db.deleteFrom(table).execute();
  const org = randomUUID();
  await sql`insert into orgs (id, name, tier, polling_interval_seconds, created_at)
    values (${org}, 'Org', 'enterprise', 15, now())`.execute(app.db);
  for (let number = 0; number < contracts; number++) {
    const id = randomUUID();
    const target_id = randomUUID();
    await sql`
      insert into contracts (id, org_id, chain, chain_id, address, label, status, created_at, updated_at)
      values (${id}, ${org}, ${chain.chain}, ${chain.chain_id}, ${addressOf(number)}, 'C', 'MONITORING', now(), now())`.execute(
      app.db,
    );
    await sql`
      insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, created_at, updated_at)
      values (${target_id}, ${org}, ${id}, ${target ?? ""}, 'T', ${JSON.stringify(config)}::jsonb, false, now(), now())`.execute(
      app.db,
    );
    if (hasRules)
      await sql`
        insert into alert_rules
          (id, org_id, contract_id, target_id, name, severity, condition, cooldown_seconds, created_at, updated_at)
        values (${randomUUID()}, ${org}, ${id}, ${target_id}, 'Each', 'info', ${JSON.stringify(everyEvent)}::jsonb, 0,
          now(), now())`.execute(app.db);
    // The code of contracts is looked up once in their life, which no day repeats.
    await sql`insert into contract_code (chain, contract_id, height, implementation, beacon)
      values (${chain.chain}, ${id}, 0, ${target === "proxy_implementation" ? pad("0x1", { size: 20 }) : null}, null)`.execute(
      app.db,
    );
  }
}
