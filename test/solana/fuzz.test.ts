import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Block } from "../../src/chains/block.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { makeSolanaReader, type SolanaReaderOptions } from "../../src/chains/solana/reader.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { type Dice, makeDice } from "../pipeline/dice.ts";
import { type Episode, expectedEpisodes, type PlainRule } from "../pipeline/oracle.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { Cluster, type ExecutedTransaction } from "./cluster/cluster.ts";
import { type SolanaNode, startNode } from "./cluster/node.ts";
import { memo, memoProgram, transferSol } from "./cluster/programs.ts";

/** SOLANA_SEEDS=5000 is the long version; SOLANA_SEED=n runs one seed. */
const seeds = process.env.SOLANA_SEED
  ? [Number(process.env.SOLANA_SEED)]
  : Array.from({ length: runSize("SOLANA_SEEDS", { short: 1, long: 1_000 }) }, (_, index) => index + 1);

let crash: { point: string } | undefined;
const h = await harness({
  env: { RPC_SOLANA: "http://127.0.0.1:1" },
  faults: {
    hit(point) {
      if (crash?.point !== point) return;
      crash = undefined;
      throw new Error(`crashed at ${point}`);
    },
  },
});
const owner = await h.personOn("enterprise");
const solana = chainOf("solana") as Chain;
const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

/** All seeds share the executed transactions and differ in their slots. */
const first = await Cluster.start();
const pool: ExecutedTransaction[] = [];
for (let at = 0; at < 60; at++) {
  const hits = Array.from({ length: at % 3 }, (_, index) => memo(`hit ${at} ${index}`));
  const pays = at % 4 === 0 ? [transferSol(first.payer, wallet, 1_000_000n + BigInt(at))] : [];
  pool.push(await first.run([memo(`miss ${at}`), ...hits, ...pays]));
}
test(`the Solana alert history matches the chain for ${seeds.length} random clusters with faulty nodes`, async () => {
  for (const seed of seeds) {
    try {
      await runSeed(seed);
    } catch (error) {
      throw new Error(`SOLANA_SEED=${seed} fails: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
}, 3_600_000);

async function runSeed(seed: number): Promise<void> {
  const dice = makeDice(seed);
  await resetChain();
  const cluster = await Cluster.start();
  const nodes = await Promise.all([1, 2].map(() => startNode(cluster, () => dice.between(0, 999) / 1000)));
  const rules = await makeRules(dice);
  const engine = new Engine(
    cluster,
    nodes,
    dice.pick([{}, { maxKept: 2, smallListing: 0 }, { maxKept: 5, maxPending: 3, smallListing: 1 }]),
  );
  await engine.runUntilIdle();
  const script = new Script(dice, cluster, nodes);
  // The oracle needs every block that was read, and the engine stores a limited number.
  for (let moves = dice.between(6, 18); moves > 0 && cluster.head < 1200; moves--) {
    script.move();
    if (dice.chance(0.1)) crash = { point: dice.pick(["engine.before_commit", "engine.after_commit"]) };
    if (dice.chance(0.6)) await engine.runUntilIdle().catch(() => undefined);
    if (crash === undefined && dice.chance(0.12)) await engine.replace();
  }
  crash = undefined;
  script.clearFaults();
  await engine.replace();
  await engine.runUntilIdle();
  cluster.finalize(cluster.produce());
  await engine.runUntilIdle();
  await engine.close();
  await Promise.all(nodes.map((node) => node.close()));
  await compare(rules, cluster);
}

/** A follower and a reader that can be replaced, as by a restart. */
class Engine {
  private readonly urls: string[];
  private readonly cluster: Cluster;
  private readonly listing: SolanaReaderOptions["listing"];
  private reader: ReturnType<typeof makeSolanaReader>;
  private follower: Follower;

  constructor(cluster: Cluster, nodes: SolanaNode[], listing: SolanaReaderOptions["listing"]) {
    this.urls = nodes.map(({ url }) => url);
    this.cluster = cluster;
    this.listing = listing;
    this.reader = this.makeReader();
    this.follower = new Follower(h.app, solana, this.reader);
  }

  /** Steps until idle. With small listings a step may not reach a block, so it must also reach the head. */
  async runUntilIdle(): Promise<void> {
    for (let steps = 0, idle = 0; idle < 10; steps++) {
      idle = (await this.follower.step()) === "idle" ? idle + 1 : 0;
      const isAtHead = (this.follower.cursor?.height ?? 0) >= this.cluster.head;
      if (idle > 0 && (isAtHead || !this.listing?.maxKept)) return;
      if (steps > 300) throw new Error("the engine does not come to rest");
    }
  }

  async replace(): Promise<void> {
    await this.follower.stop();
    await this.reader.close();
    this.reader = this.makeReader();
    this.follower = new Follower(h.app, solana, this.reader);
  }

  private makeReader() {
    const { urls, listing } = this;
    return makeSolanaReader({ urls, listing, clock: fastClock(50) });
  }

  async close(): Promise<void> {
    await this.follower.stop();
    await this.reader.close();
  }
}

/** Changes a cluster at random: new slots, skipped slots, rollbacks; and its nodes: lag, lost data, recovery. */
class Script {
  private readonly dice: Dice;
  private readonly cluster: Cluster;
  private readonly nodes: SolanaNode[];
  private readonly fresh: ExecutedTransaction[];
  private orphans: ExecutedTransaction[] = [];

  constructor(dice: Dice, cluster: Cluster, nodes: SolanaNode[]) {
    this.dice = dice;
    this.cluster = cluster;
    this.nodes = nodes;
    this.fresh = [...pool];
  }

  move(): void {
    const { dice, cluster } = this;
    if (dice.chance(0.2)) this.orphans.push(...cluster.rollBack(cluster.head - dice.between(1, 12)));
    for (let slots = dice.between(1, 5); slots > 0; slots--) this.produce();
    if (dice.chance(0.3)) cluster.finalize(cluster.head - dice.between(3, 20));
    for (const { faults } of this.nodes) {
      if (!dice.chance(0.3)) continue;
      faults.lag = dice.pick([0, 0, 1, 3]);
      faults.indexLag = dice.pick([0, 0, 2, 6]);
      faults.missing = dice.pick([0, 0, 0.1]);
      faults.garbage = dice.pick([0, 0, 0.05]);
    }
  }

  clearFaults(): void {
    for (const { faults } of this.nodes)
      Object.assign(faults, { lag: 0, indexLag: 0, nothing: 0, garbage: 0 });
    this.cluster.finalize(this.cluster.produce());
  }

  private produce(): void {
    const { dice } = this;
    const again = this.orphans.filter(() => dice.chance(0.4));
    this.orphans = this.orphans.filter((orphan) => !again.includes(orphan) && dice.chance(0.8));
    const fresh = this.fresh.splice(0, dice.chance(0.5) ? dice.between(1, 3) : 0);
    const skipped = dice.chance(0.2) ? dice.between(1, 8) : 0;
    this.cluster.produce([...again, ...fresh], { skipped, seconds: dice.pick([0, 1, 1, 12, 40]) });
  }
}

async function makeRules(dice: Dice): Promise<PlainRule[]> {
  const rules: PlainRule[] = [];
  const targets = [
    {
      address: memoProgram,
      target: { target_type: "solana_event", config: { event_name: "hit", match: "log" } },
    },
    { address: wallet, target: { target_type: "large_transfer", config: { native: true } } },
  ];
  for (const { address, target } of targets) {
    const body = { chain: "solana", address, selected_targets: [target] };
    const contract = (await owner.client.post("/contracts", body)).body as { id: string };
    const [made] = (await owner.client.get(`/contracts/${contract.id}/targets`)).body as { id: string }[];
    for (let count = dice.between(1, 2); count > 0; count--)
      rules.push(await makeRule(dice, address, made?.id ?? ""));
  }
  return rules;
}

async function makeRule(dice: Dice, address: string, target_id: string): Promise<PlainRule> {
  const plain = {
    address,
    threshold: dice.between(1, 4),
    amount: 0n,
    window: dice.pick([60, 90, 300]),
    forSeconds: dice.pick([0, 0, 0, 24]),
    resolveAfter: dice.pick([0, 0, 24]),
  };
  const { threshold, window: window_seconds } = plain;
  const reply = await owner.client.post("/alerts", {
    target_id,
    record_only: true,
    severity: "info",
    cooldown_seconds: 0,
    for_seconds: plain.forSeconds,
    resolve_after_seconds: plain.resolveAfter,
    condition: { operator: "gte", threshold, window_seconds, aggregation: "count" },
  });
  return { id: (reply.body as { id: string }).id, ...plain };
}

async function compare(rules: PlainRule[], cluster: Cluster): Promise<void> {
  const { rows } = await sql<{ height: string; at: Date }>`
    select height, block_time as at from chain_blocks where chain = 'solana' order by height`.execute(
    h.app.db,
  );
  const readSlots = new Map(rows.map(({ height, at }) => [Number(height), at.getTime() / 1000]));
  const nonEmpty = cluster.all.filter(({ slot, ran }) => slot > 1000 && ran.length > 0);
  // Every slot with transactions was read; of the empty slots, only those that were the head at some step.
  for (const { slot } of nonEmpty) expect(readSlots.has(slot), `slot ${slot}`).toBe(true);
  const blocks = [...readSlots].map(([height, time]) => toBlock(height, time, cluster.at(height)?.ran ?? []));
  const events = ((await owner.client.get("/alerts/history")).body as AlertEvent[]).filter(({ rule_id }) =>
    rules.some(({ id }) => id === rule_id),
  );
  const active = events.filter(({ status }) => status !== "retracted").map(toEpisode);
  expect(active.sort(byIdentity)).toEqual(expectedEpisodes(blocks, rules).sort(byIdentity));
  await checkNotices(events);
}

/** The block for the oracle, with one log for every matching line and every payment. */
function toBlock(height: number, time: number, ran: ExecutedTransaction[]): Block {
  const logs = ran.flatMap(({ signature, meta, accounts }, tx_index) => {
    const { logMessages } = meta as { logMessages: string[] };
    const hits = logMessages
      .filter((line) => line.includes('"hit') || line.includes(": hit"))
      .map(() => memoProgram);
    return [...hits, ...(accounts.includes(wallet) ? [wallet] : [])].map((address, position) => ({
      address,
      topics: [],
      data: "0x0" as const,
      tx_hash: signature,
      tx_index,
      log_index: position,
      position,
    }));
  });
  return { height, hash: "", parent_hash: "", time, transactions: [], logs };
}

async function checkNotices(events: AlertEvent[]): Promise<void> {
  const notices = await h.app.db.selectFrom("alert_notices").select(["event_id", "kind"]).execute();
  for (const { id, status } of events) {
    const kinds = notices.filter(({ event_id }) => event_id === id).map(({ kind }) => kind);
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    expect({ id, status, netNotices: count("fired") - count("retracted") }).toEqual({
      id,
      status,
      netNotices: status === "retracted" ? 0 : 1,
    });
  }
}

function toEpisode(event: AlertEvent): Episode {
  return {
    rule_id: event.rule_id ?? "",
    fired_at: Date.parse(event.fired_at) / 1000,
    tx_hash: event.tx_hash,
    resolved_at: event.resolved_at === null ? null : Date.parse(event.resolved_at) / 1000,
    log_index: null,
    group: event.group,
  };
}

function byIdentity(a: Episode, b: Episode): number {
  return a.rule_id.localeCompare(b.rule_id) || a.fired_at - b.fired_at;
}

/** Removes the state of the previous seed. */
async function resetChain(): Promise<void> {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const) {
    await h.app.db.deleteFrom(table).execute();
  }
  const contracts = (await owner.client.get("/contracts")).body as { id: string }[];
  for (const contract of contracts) await owner.client.delete(`/contracts/${contract.id}`);
  await h.app.db.deleteFrom("alert_notices").execute();
  await h.app.db.deleteFrom("alert_events").execute();
  await h.app.db.deleteFrom("samples").execute();
}
