import { sql } from "kysely";
import { toHex } from "viem";
import { expect, test } from "vitest";
import type { Block } from "../../src/chains/block.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { readAddress } from "../../src/chains/evm/address.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow.ts";
import type { AlertEvent } from "../../src/wire/events.ts";
import { harness } from "../harness.ts";
import { type Dice, makeDice } from "./dice.ts";
import { type Episode, expectedEpisodes, type PlainRule } from "./oracle.ts";
import { type Scripted, ScriptedChain } from "./scripted-chain.ts";
import { transferSignature } from "./world.ts";

/** How many worlds; REORG_SEEDS=10000 for the long version, REORG_SEED=n for one. */
const seeds = process.env.REORG_SEED
  ? [Number(process.env.REORG_SEED)]
  : Array.from({ length: Number(process.env.REORG_SEEDS ?? 300) }, (_, index) => index + 1);

/** The fault points that a seed lets the engine die at. */
let crash: { point: string } | undefined;
const h = await harness({
  env: { RPC_LOCAL: "http://127.0.0.1:1" },
  faults: {
    hit(point) {
      if (crash?.point !== point) return;
      crash = undefined;
      throw new Error(`crashed at ${point}`);
    },
  },
});
const owner = await h.person();
await h.setTier(owner.org_id, "enterprise");
const local = chainOf("local") as Chain;
// What the stream and the analytics make of alerts is not at stake here, and would take half of the time.
await sql`alter table alert_events disable trigger user`.execute(h.app.db);
await sql`alter table contracts disable trigger user`.execute(h.app.db);

test(`whatever the chain does, the history is what the canonical chain says (${seeds.length} seeds)`, async () => {
  for (const seed of seeds) {
    try {
      await runSeed(seed);
    } catch (error) {
      throw new Error(`REORG_SEED=${seed} fails: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
}, 3_600_000);

async function runSeed(seed: number): Promise<void> {
  const dice = makeDice(seed);
  await forgetChain();
  const chain = new ScriptedChain();
  const { rules, addresses } = await makeRules(dice, seed);
  let follower = new Follower(h.app, local, chain);
  await settle(follower);
  const begun = chain.tip.height;
  const script = new Script(dice, chain, addresses, seed);
  for (let moves = dice.between(10, 32); moves > 0; moves--) {
    script.move();
    if (dice.chance(0.15)) crash = { point: dice.pick(["engine.before_commit", "engine.after_commit"]) };
    if (dice.chance(0.6)) await settle(follower).catch(() => undefined);
    // What dies leaves its lease behind; a new process would wait for it to run out, this one takes it over.
    if (crash === undefined && dice.chance(0.1)) follower = await replace(follower);
  }
  crash = undefined;
  for (let blocks = 0; blocks < 20; blocks++) chain.mine();
  follower = await replace(follower);
  await settle(follower);
  const canonical = chain.branch().filter((block) => block.height > begun);
  await compare(rules, canonical);
}

/** Moves a chain at random: on, sideways, back; sometimes with what the other branch held. */
class Script {
  private readonly dice: Dice;
  private readonly chain: ScriptedChain;
  private readonly addresses: string[];
  private readonly floor: number;
  private nextTx: number;
  private orphans: Scripted[] = [];
  private readonly contents = new Map<string, Scripted[]>();
  private salt = 1;

  constructor(dice: Dice, chain: ScriptedChain, addresses: string[], seed: number) {
    this.dice = dice;
    this.chain = chain;
    this.addresses = addresses;
    this.floor = chain.tip.height;
    this.nextTx = seed * 100_000;
  }

  move(): void {
    if (this.dice.chance(0.25)) this.fork();
    else for (let blocks = this.dice.between(1, 4); blocks > 0; blocks--) this.mine(this.chain.tip);
  }

  /** Leaves the branch some blocks back and grows at least as far as before. */
  private fork(): void {
    const tip = this.chain.tip;
    const depth = Math.min(this.dice.between(1, 8), tip.height - this.floor);
    let from: Block = tip;
    for (let back = 0; back < depth; back++) {
      this.orphans.push(...(this.contents.get(from.hash) ?? []));
      from = this.chain.blocksByHash.get(from.parent_hash) as Block;
    }
    for (let blocks = depth + this.dice.between(0, 2); blocks > 0; blocks--) from = this.mine(from);
  }

  private mine(on: Block): Block {
    const fresh = Array.from({ length: this.dice.chance(0.4) ? this.dice.between(1, 3) : 0 }, () =>
      this.transaction(),
    );
    const known = new Set(this.chain.branch(on).flatMap((block) => block.transactions.map((tx) => tx.hash)));
    const back = this.orphans.splice(0).filter((tx) => !known.has(toHex(tx.id, { size: 32 })));
    const again = back.filter(() => this.dice.chance(0.4));
    this.orphans = back.filter((tx) => !again.includes(tx) && this.dice.chance(0.7));
    const transactions = [...again, ...fresh];
    const time = on.time + this.dice.pick([0, 1, 12, 12, 12, 30]);
    const block = this.chain.mine(transactions, { on, time, salt: this.salt++ });
    this.contents.set(block.hash, transactions);
    return block;
  }

  private transaction(): Scripted {
    const amounts = Array.from({ length: this.dice.between(0, 3) }, () => this.dice.between(1, 100));
    return { id: this.nextTx++, to: this.dice.pick(this.addresses), amounts };
  }
}

async function makeRules(dice: Dice, seed: number): Promise<{ rules: PlainRule[]; addresses: string[] }> {
  const addresses = [1, 2].map(
    (part) => readAddress(toHex(BigInt(seed) * 1000n + BigInt(part), { size: 20 })) as string,
  );
  const rules: PlainRule[] = [];
  for (const address of addresses) {
    const event_frequency = {
      target_type: "event_frequency",
      config: { event_signature: transferSignature },
    };
    const body = { chain: "local", address, selected_targets: [event_frequency] };
    const contract = (await owner.client.post("/contracts", body)).body as { id: string };
    const [target] = (await owner.client.get(`/contracts/${contract.id}/targets`)).body as { id: string }[];
    for (let count = dice.between(1, 3); count > 0; count--)
      rules.push(await makeRule(dice, address, target?.id ?? ""));
  }
  return { rules, addresses };
}

async function makeRule(dice: Dice, address: string, target_id: string): Promise<PlainRule> {
  const plain = {
    address,
    threshold: dice.between(1, 4),
    amount: BigInt(dice.pick([0, 0, 50, 90])),
    window: dice.pick([60, 60, 90, 300]),
    forSeconds: dice.pick([0, 0, 0, 12, 36]),
    resolveAfter: dice.pick([0, 0, 24]),
  };
  const match = { events: [{ signature: transferSignature, expression: `value >= ${plain.amount}` }] };
  const reply = await owner.client.post("/alerts", {
    target_id,
    severity: "info",
    cooldown_seconds: 0,
    for_seconds: plain.forSeconds,
    resolve_after_seconds: plain.resolveAfter,
    condition: {
      operator: "gte",
      threshold: plain.threshold,
      window_seconds: plain.window,
      aggregation: "count",
      ...(plain.amount > 0n && { match }),
    },
  });
  return { id: (reply.body as { id: string }).id, ...plain };
}

async function compare(rules: PlainRule[], canonical: Block[]): Promise<void> {
  const events = await allEvents();
  const ids = new Set(rules.map((rule) => rule.id));
  const own = events.filter((event) => ids.has(event.rule_id ?? ""));
  const standing = own.filter((event) => event.status !== "retracted").map(toEpisode);
  expect(standing.sort(byIdentity)).toEqual(expectedEpisodes(canonical, rules).sort(byIdentity));
  await checkNotices(own);
}

/** Who was told of something that is gone was told so, once; who was told of something that stands was not told twice. */
async function checkNotices(events: AlertEvent[]): Promise<void> {
  const notices = await h.app.db.selectFrom("alert_notices").select(["event_id", "kind"]).execute();
  for (const event of events) {
    const kinds = notices.filter((notice) => notice.event_id === event.id).map((notice) => notice.kind);
    const fired = kinds.filter((kind) => kind === "fired").length;
    const retracted = kinds.filter((kind) => kind === "retracted").length;
    expect({ id: event.id, status: event.status, open: fired - retracted }).toEqual({
      id: event.id,
      status: event.status,
      open: event.status === "retracted" ? 0 : 1,
    });
  }
}

function toEpisode(event: AlertEvent): Episode {
  return {
    rule_id: event.rule_id ?? "",
    fired_at: Date.parse(event.fired_at) / 1000,
    tx_hash: event.tx_hash,
    resolved_at: event.resolved_at === null ? null : Date.parse(event.resolved_at) / 1000,
  };
}

function byIdentity(a: Episode, b: Episode): number {
  return a.rule_id.localeCompare(b.rule_id) || a.fired_at - b.fired_at;
}

async function allEvents(): Promise<AlertEvent[]> {
  const contracts = (await owner.client.get("/contracts")).body as { id: string }[];
  const pages = await Promise.all(
    contracts
      .slice(0, 2)
      .map((contract) => owner.client.get("/alerts/history", { query: { contract_id: contract.id } })),
  );
  return pages.flatMap((page) => page.body as AlertEvent[]);
}

async function settle(follower: Follower): Promise<void> {
  for (let steps = 0; (await follower.step()) !== "idle"; steps++) {
    if (steps > 500) throw new Error("the engine does not come to rest");
  }
}

async function replace(follower: Follower): Promise<Follower> {
  await follower.stop();
  return new Follower(h.app, local, followerReader(follower));
}

function followerReader(follower: Follower): ScriptedChain {
  return (follower as unknown as { reader: ScriptedChain }).reader;
}

/** Each seed has the chain to itself. */
async function forgetChain(): Promise<void> {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const) {
    await h.app.db.deleteFrom(table).execute();
  }
  const contracts = (await owner.client.get("/contracts")).body as { id: string }[];
  for (const contract of contracts) await owner.client.delete(`/contracts/${contract.id}`);
  await h.app.db.deleteFrom("alert_notices").execute();
  await h.app.db.deleteFrom("alert_events").execute();
  await h.app.db.deleteFrom("samples").execute();
}
