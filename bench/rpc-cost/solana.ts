import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { addressOfBytes } from "../../src/chains/solana/accounts/address.ts";
import { makeSolanaReader } from "../../src/chains/solana/reader.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { idleMint, SolanaCountingNode } from "./solana-node.ts";
import { makeVaultContents } from "./vault-contents.ts";

const warmUpSeconds = 300;

type Scenario = { name: string; addresses: number; target: string; limit: number };
type Vaults = Awaited<ReturnType<typeof makeVaultContents>>;

const ofVaults: Scenario = {
  name: "tokens of 1 program",
  addresses: 1,
  target: "token_balance",
  limit: 20_000,
};

/** A wallet, its associated token account and the search for others. */
const ofWallet: Scenario = {
  name: "token transfers of 1 wallet",
  addresses: 1,
  target: "large_transfer",
  limit: 30_000,
};

const scenarios: Scenario[] = [
  { name: "nobody watched", addresses: 0, target: "tx_rate", limit: 3_000 },
  { name: "transactions of 1 address", addresses: 1, target: "tx_rate", limit: 20_000 },
  { name: "transactions of 10 addresses", addresses: 10, target: "tx_rate", limit: 60_000 },
  { name: "transactions of 100 addresses", addresses: 100, target: "tx_rate", limit: 400_000 },
  { name: "100 balances at 60 s", addresses: 100, target: "native_balance", limit: 20_000 },
  { name: "100 upgradeable programs", addresses: 100, target: "solana_program_upgrade", limit: 400_000 },
  ofWallet,
];

/** Counts the calls that following idle addresses of Solana takes. Returns whether all are within their limits. */
export async function benchSolanaCost(app: App, hours: number): Promise<boolean> {
  const chain = chainOf("solana") as Chain;
  console.log("\n| calls a day, one endpoint | Solana, idle | estimate |\n|---|---|---|");
  let isWithin = true;
  const vaults = await makeVaultContents();
  for (const scenario of [...scenarios, ofVaults]) {
    const contents = scenario === ofVaults ? vaults : undefined;
    const { calls, estimate } = await measure({ app, chain, contents }, scenario, hours);
    const perDay = Math.round((calls * 24) / hours);
    isWithin &&= perDay <= scenario.limit;
    const [shown, limit, estimated] = [perDay, scenario.limit, estimate].map((one) =>
      Math.round(one).toLocaleString("en"),
    );
    console.log(`| ${scenario.name} | ${shown} (at most ${limit}) | ${estimated} |`);
  }
  return isWithin;
}

type Bench = { app: App; chain: Chain; contents: Vaults | undefined };

async function measure({ app, chain, contents }: Bench, scenario: Scenario, hours: number) {
  await watch({ app, chain, contents }, scenario);
  const node = new SolanaCountingNode(contents?.cluster);
  const reader = makeSolanaReader({ urls: ["http://node.invalid/"], outbound: node, clock: node.clock });
  const follower = new Follower(app, chain, reader);
  const runUntil = async (seconds: number) => {
    while (node.seconds < seconds) {
      const progress = await follower.step();
      if (progress === "idle" || follower.isAtHead) await follower.waitForWork(new AbortController().signal);
    }
  };
  const count = () => [...node.snapshot().values()].reduce((sum, calls) => sum + calls, 0);
  await runUntil(warmUpSeconds);
  const before = count();
  const methods = node.snapshot();
  await runUntil(warmUpSeconds + hours * 3600);
  if (process.env.BENCH_METHODS)
    console.error(
      scenario.name,
      Object.fromEntries(
        [...node.snapshot()].map(([method, calls]) => [method, calls - (methods.get(method) ?? 0)]),
      ),
    );
  const estimate = reader.pace?.().callsPerDay ?? 0;
  await follower.stop();
  await reader.close();
  return { calls: count() - before, estimate };
}

/** Replaces what is watched. */
async function watch({ app, chain, contents }: Bench, { addresses, target }: Scenario): Promise<void> {
  for (const table of ["contracts", "chain_cursors", "chain_blocks", "chain_leases", "samples"] as const)
    await app.db.deleteFrom(table).execute();
  const org = randomUUID();
  await sql`insert into orgs (id, name, tier, polling_interval_seconds, created_at)
    values (${org}, 'Org', 'enterprise', 60, now())`.execute(app.db);
  for (let number = 0; number < addresses; number++) {
    const id = randomUUID();
    const made = addressOfBytes(createHash("sha256").update(`address ${number}`).digest());
    const address = contents?.program ?? made;
    const token = contents?.mint ?? (target === ofWallet.target ? idleMint : undefined);
    const config = JSON.stringify(token ? { token } : {});
    await sql`
      insert into contracts (id, org_id, chain, chain_id, address, label, status, created_at, updated_at)
      values (${id}, ${org}, ${chain.chain}, ${chain.chain_id}, ${address}, 'C', 'MONITORING', now(), now())`.execute(
      app.db,
    );
    await sql`
      insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, created_at, updated_at)
      values (${randomUUID()}, ${org}, ${id}, ${target}, 'T', ${config}::jsonb, false, now(), now())`.execute(
      app.db,
    );
  }
}
