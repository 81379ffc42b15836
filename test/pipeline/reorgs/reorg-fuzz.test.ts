import { sql } from "kysely";
import { toHex } from "viem";
import { expect, test } from "vitest";
import type { Block } from "../../../src/chains/block.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { parseAddress } from "../../../src/chains/evm/values/address.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import { otherCondition } from "../../simchain/watch.ts";
import { harness, type Person } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { type Dice, makeDice } from "../dice.ts";
import { byIdentity, type Episode, expectedEpisodes, type OtherCount, type PlainRule } from "../oracle.ts";
import { ScriptedChain, transferTopic } from "../scripted-chain.ts";
import { storedHeights } from "../verify.ts";
import { transferSignature } from "../world.ts";
import { ReorgScript } from "./reorg-script.ts";

/** REORG_SEEDS=n sets the number of seeds, REORG_FIRST=n the first of them; REORG_SEED=n runs a single one. */
const first = Number(process.env.REORG_FIRST ?? 1);
const seeds = process.env.REORG_SEED
  ? [Number(process.env.REORG_SEED)]
  : Array.from({ length: runSize("REORG_SEEDS", { short: 3, long: 10_000 }) }, (_, index) => first + index);

const nowhere = "http://127.0.0.1:1";
const h = await harness({
  env: { RPC_LOCAL: nowhere, RPC_ETHEREUM: nowhere, RPC_BASE: nowhere, RPC_OPTIMISM: nowhere },
});
const local = chainOf("local") as Chain;
// The triggers of the stream and the analytics are irrelevant here and would take half of the time.
await sql`alter table alert_events disable trigger user`.execute(h.app.db);
await sql`alter table contracts disable trigger user`.execute(h.app.db);

/** Seeds run in parallel lanes, each with a separate chain and org: a single one mostly waits for the database. */
const lanes = await Promise.all(["local", "ethereum", "base", "optimism"].map(makeLane));
type Lane = Awaited<ReturnType<typeof makeLane>>;

test(`after random reorganisations and crashes, the history matches the canonical chain in every reading plan (${seeds.length} seeds)`, async () => {
  const waiting = [...seeds];
  const runLane = async (lane: Lane) => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      if (seed % 1000 === 0) process.stdout.write(`reorganisations of seed ${seed}\n`);
      // The server of the tests does not remove dead rows automatically: they would slow down each seed more.
      if (seed % 50 === 0) await sql`vacuum analyze`.execute(h.app.db);
      await runSeed(lane, seed).catch((error: unknown) => {
        waiting.length = 0;
        const sentence = error instanceof Error ? error.message : error;
        throw new Error(`REORG_SEED=${seed} fails: ${sentence}`, { cause: error });
      });
    }
  };
  const ends = await Promise.allSettled(lanes.map(runLane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  // Ten times what the long version takes on an idle machine.
}, 36_000_000);

async function makeLane(chain: string) {
  const owner: Person = await h.personOn("enterprise");
  const lane = {
    owner,
    chain: { ...local, chain },
    /** The fault point at which the engine crashes next. */
    crash: undefined as string | undefined,
    app: h.app,
  };
  const hit = (point: string) => {
    if (lane.crash !== point) return;
    lane.crash = undefined;
    throw new Error(`crashed at ${point}`);
  };
  lane.app = { ...h.app, faults: { hit } };
  return lane;
}

async function runSeed(lane: Lane, seed: number): Promise<void> {
  const dice = makeDice(seed);
  await forgetWorld(lane);
  const chain = new ScriptedChain();
  chain.scans = (["whole", "every_block", "some_blocks"] as const)[seed % 3] ?? "whole";
  const { rules, contracts, addresses } = await makeRules(lane, dice, seed);
  // A reorganisation deeper than the finality depth reloads the engine state, a shallower one rolls it back.
  const definition = { ...lane.chain, finality_depth: dice.pick([2, 12]) };
  const config = { ...lane.app.config, groupsInMemory: dice.pick([1, 3, 10_000]) };
  const start = () => new Follower({ ...lane.app, config }, definition, chain);
  // A crash leaves its lease behind. A new process would wait until it expires; the test removes it.
  const replace = (follower: Follower) => follower.stop().then(start);
  let follower = start();
  await stepUntilIdle(follower);
  const begun = chain.tip.height;
  const script = new ReorgScript(dice, chain, addresses, { seed });
  for (let moves = dice.between(10, 32); moves > 0; moves--) {
    script.move();
    if (dice.chance(0.15)) lane.crash = dice.pick(["engine.before_commit", "engine.after_commit"]);
    if (dice.chance(0.6)) await catchUp(follower, chain).catch(() => undefined);
    if (lane.crash === undefined && dice.chance(0.1)) follower = await replace(follower);
  }
  lane.crash = undefined;
  for (let blocks = 0; blocks < 20; blocks++) chain.mine();
  follower = await replace(follower);
  await stepUntilIdle(follower);
  await follower.stop();
  const stored = await storedHeights(h.app.db, lane.chain.chain);
  // Time advances at the blocks that were read. Those with watched events are always read.
  const isRead = ({ height, logs }: Block) =>
    stored.has(height) ||
    chain.scans !== "some_blocks" ||
    logs.some(({ topics }) => topics[0] === transferTopic);
  const canonical = chain.branch().filter((block) => block.height > begun && isRead(block));
  await compare(lane, rules, contracts, canonical);
}

async function makeRules({ owner, chain: { chain } }: Lane, dice: Dice, seed: number) {
  const addresses = [1, 2].map(
    (part) => parseAddress(toHex(BigInt(seed) * 1000n + BigInt(part), { size: 20 })) as string,
  );
  const rules: PlainRule[] = [];
  const contracts: string[] = [];
  for (const address of addresses) {
    const event_frequency = {
      target_type: "event_frequency",
      config: { event_signature: transferSignature },
    };
    const body = { chain, address, selected_targets: [event_frequency] };
    const contract = await create(owner, "/contracts", body);
    contracts.push(contract.id);
    const target = await h.app.db
      .selectFrom("targets")
      .select("id")
      .where("contract_id", "=", contract.id)
      .executeTakeFirstOrThrow();
    for (let count = dice.between(1, 3); count > 0; count--)
      rules.push(await makeRule(owner, dice, address, target.id));
  }
  return { rules, contracts, addresses };
}

async function makeRule(owner: Person, dice: Dice, address: string, target_id: string): Promise<PlainRule> {
  const isEach = dice.chance(0.3);
  const kind = dice.pick(["plain", "plain", "grouped", "combined"]);
  const plain = {
    isEach,
    address,
    topic: transferTopic,
    threshold: isEach ? 1 : dice.between(1, 4),
    amount: BigInt(dice.pick([0, 0, 50, 90])),
    window: dice.pick([60, 60, 90, 300]),
    forSeconds: isEach ? 0 : dice.pick([0, 0, 0, 12, 36]),
    resolveAfter: dice.pick([0, 0, 24]),
    groupBy: kind === "grouped" ? ("value" as const) : undefined,
    other: kind === "combined" ? drawOther(dice, isEach) : undefined,
  };
  const match = { events: [{ signature: transferSignature, expression: `value >= ${plain.amount}` }] };
  const rule = await create(owner, "/alerts", {
    target_id,
    record_only: true,
    severity: "info",
    cooldown_seconds: 0,
    for_seconds: plain.forSeconds,
    resolve_after_seconds: plain.resolveAfter,
    condition: {
      operator: "gte",
      threshold: plain.threshold,
      window_seconds: plain.window,
      aggregation: isEach ? "each" : "count",
      ...(plain.amount > 0n && { match }),
      ...(plain.groupBy && { group_by: `args.${plain.groupBy}` }),
      ...(plain.other && { [plain.other.combines]: [otherCondition(plain.other, target_id)] }),
    },
  });
  return { id: rule.id, ...plain };
}

async function create({ client }: Person, path: string, body: object): Promise<{ id: string }> {
  const reply = await client.post(path, body);
  if (reply.status !== 200) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
  return reply.body as { id: string };
}

/** Other conditions of an each rule must all hold. */
function drawOther(dice: Dice, isEach: boolean): OtherCount {
  return {
    combines: isEach ? "all" : dice.pick(["all", "any"] as const),
    topic: transferTopic,
    threshold: dice.between(1, 6),
    window: dice.pick([60, 120, 300]),
  };
}

async function compare(
  { owner }: Lane,
  rules: PlainRule[],
  contracts: string[],
  canonical: Block[],
): Promise<void> {
  const events = await eventsOf(owner, contracts);
  const ids = new Set(rules.map((rule) => rule.id));
  const own = events.filter((event) => ids.has(event.rule_id ?? ""));
  const standing = own.filter((event) => event.status !== "retracted").map(toEpisode);
  expect(standing.sort(byIdentity)).toEqual(expectedEpisodes(canonical, rules).sort(byIdentity));
  await checkNotices(owner, own);
}

/** Every notified event that was retracted has one notice of retraction, and no other event has a second notice. */
async function checkNotices(owner: Person, events: AlertEvent[]): Promise<void> {
  const notices = await h.app.db
    .selectFrom("alert_notices")
    .select(["event_id", "kind"])
    .where("org_id", "=", owner.org_id)
    .execute();
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
    log_index: event.window_seconds === null ? event.log_index : null,
    group: event.group,
  };
}

const pageSize = 200;

async function eventsOf({ client }: Person, contracts: string[]): Promise<AlertEvent[]> {
  const events: AlertEvent[] = [];
  for (const contract_id of contracts) {
    for (let offset = 0; ; offset += pageSize) {
      const query = { contract_id, limit: String(pageSize), offset: String(offset) };
      const page = (await client.get("/alerts/history", { query })).body as AlertEvent[];
      events.push(...page);
      if (page.length < pageSize) break;
    }
  }
  return events;
}

async function stepUntilIdle(follower: Follower): Promise<void> {
  for (let steps = 0; (await follower.step()) !== "idle"; steps++) {
    if (steps > 500) throw new Error("the engine never becomes idle");
  }
}

/** Steps only until the cursor is at the tip, without the extra idle step. */
async function catchUp(follower: Follower, { tip }: ScriptedChain): Promise<void> {
  for (let steps = 0; follower.cursor?.hash !== tip.hash; steps++) {
    if ((await follower.step()) === "idle") return;
    if (steps > 500) throw new Error("the engine never becomes idle");
  }
}

/** Clears the lane's data, so that each seed starts empty. */
async function forgetWorld({ owner: { org_id }, chain: { chain } }: Lane): Promise<void> {
  const { db } = h.app;
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases", "samples"] as const)
    await db.deleteFrom(table).where("chain", "=", chain).execute();
  for (const table of ["alert_notices", "alert_events", "contracts"] as const)
    await db.deleteFrom(table).where("org_id", "=", org_id).execute();
}
