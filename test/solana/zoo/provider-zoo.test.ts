import { expect, test } from "vitest";
import { makeDice } from "../../pipeline/dice.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { runSize } from "../../support/run-size.ts";
import { memo, memoProgram, transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";
import type { SolanaBehaviour } from "./behaviour.ts";
import { solanaBehaviours } from "./behaviours/index.ts";
import { unindexedAddress } from "./unindexed.ts";

/** SOLANA_ZOO_MOVES=100 is the long version; SOLANA_ZOO_SEED selects another course of the cluster. */
const moves = runSize("SOLANA_ZOO_MOVES", { short: 2, long: 60 });
/** Visits only every nth provider. */
const everyNth = runSize("SOLANA_ZOO_EVERY", { short: 5, long: 1 });
const visited = solanaBehaviours.filter((_, index) => index % everyNth === 0);
const seed = Number(process.env.SOLANA_ZOO_SEED ?? 1);
const dice = makeDice(seed);
const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

const clock = fastClock(20);
let crash: string | undefined;
const faults = {
  hit(point: string) {
    if (crash !== point) return;
    crash = undefined;
    throw new Error(`crashed at ${point}`);
  },
};
const world = await makeSolanaWorld({ clock, faults, chance: () => dice.between(0, 999) / 1000 });
const { cluster, nodes } = world;
const [node] = nodes;
if (!node) throw new Error("there is no node");
const watched = [
  { address: memoProgram, target: await world.watch(memoProgram, { target_type: "tx_rate", config: {} }) },
  { address: wallet, target: await world.watch(wallet, { target_type: "tx_rate", config: {} }) },
];
const rules: string[] = [];
for (const { target } of watched) rules.push(await world.rule(target.id, { aggregation: "each" }));
await world.watch(unindexedAddress, { target_type: "tx_rate", config: {} });
const ideal = { ...node.faults };
await world.runUntilIdle();
const start = cluster.head;

// One world for all behaviours: what a provider does must not depend on what was read before.
test.each(visited.map((behaviour) => [behaviour.name, behaviour] as const))(
  `nothing is lost or counted twice, over forks and crashes, with a provider that %s (SOLANA_ZOO_SEED=${seed})`,
  async (_name, behaviour) => {
    await world.restart({ sockets: behaviour.hasSocket ?? false });
    Object.assign(node.faults, ideal, behaviour.faults);
    for (let move = 0; move < moves; move++) await makeMove(behaviour);
    for (const point of ["engine.before_commit", "engine.after_commit"]) await forkAndCrash(behaviour, point);
    // Enough slots for an index that is late.
    for (let slots = 0; slots < 5; slots++) cluster.produce();
    cluster.finalize();
    await expect
      .poll(
        async () => {
          if (await isAnySuspended()) goOn();
          else behaviour.onMove?.(node, cluster);
          // A withheld transaction is requested again within seconds; an address that was suspended is checked after 30 or more.
          await clock.sleep(2_000);
          world.h.clock.advance(15);
          await world.step().catch(() => undefined);
          return Promise.all(watched.map(({ target }) => samplesOf(target.id)));
        },
        { timeout: 120_000 },
      )
      .toEqual(watched.map(({ address }) => truthOf(address)));
    expect(await alertsOf(rules)).toEqual(watched.map(({ address }) => truthOf(address).toSorted()));
    Object.assign(node.faults, ideal);
    crash = undefined;
  },
);

/** A suspended address is read as far as the chain has been final for some time. */
function goOn(): void {
  cluster.produce([], { skipped: 8 });
  cluster.finalize(cluster.head - 2);
}

async function isAnySuspended(): Promise<boolean> {
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string; status: string }[];
  const ids = watched.map(({ target }) => target.contract_id);
  return contracts.some(({ id, status }) => ids.includes(id) && status === "ERROR");
}

/** Whatever the dice say, each provider meets a fork of committed slots, and a crash while the new branch is committed. */
async function forkAndCrash(behaviour: SolanaBehaviour, point: string): Promise<void> {
  await makeMove(behaviour);
  const transferred = await cluster.run([transferSol(cluster.payer, wallet, 1_000_000n)]);
  cluster.produce([await cluster.run([memo(`before the fork ${cluster.head}`)]), transferred]);
  for (let steps = 0; steps < 3; steps++) await world.step().catch(() => undefined);
  cluster.rollBack(cluster.head - 1);
  cluster.produce([transferred]);
  crash = point;
  for (let steps = 0; steps < 3; steps++) await world.step().catch(() => undefined);
  await world.restart({ sockets: behaviour.hasSocket ?? false });
}

/** Produces slots with transactions of one address or both, sometimes after a fork, and steps or crashes the engine. */
async function makeMove(behaviour: SolanaBehaviour): Promise<void> {
  if (dice.chance(0.3)) {
    const removed = cluster.rollBack(cluster.head - dice.between(1, 3));
    cluster.produce(removed.filter(() => dice.chance(0.5)));
  }
  for (let slots = dice.between(1, 3); slots > 0; slots--) {
    const ran = [];
    if (dice.chance(0.6)) ran.push(await cluster.run([memo(`note ${cluster.head} ${slots}`)]));
    if (dice.chance(0.4)) ran.push(await cluster.run([transferSol(cluster.payer, wallet, 1_000_000n)]));
    cluster.produce(ran, { skipped: dice.pick([0, 0, 2]) });
  }
  if (dice.chance(0.5)) cluster.finalize(cluster.head - 6);
  behaviour.onMove?.(node as NonNullable<typeof node>, cluster);
  for (let steps = dice.between(0, 3); steps > 0; steps--) await world.step().catch(() => undefined);
  if (dice.chance(0.2)) await world.restart({ sockets: behaviour.hasSocket ?? false });
}

function truthOf(address: string): string[] {
  return cluster.all
    .filter(({ slot }) => slot > start)
    .flatMap(({ slot, ran }) =>
      ran.filter(({ accounts }) => accounts.includes(address)).map(({ signature }) => `${slot} ${signature}`),
    );
}

/** The alerts of each rule that were not retracted, by their slot and transaction. */
async function alertsOf(rule_ids: readonly string[]): Promise<string[][]> {
  const events = (await world.events()).filter(({ status }) => status !== "retracted");
  return rule_ids.map((id) =>
    events
      .filter(({ rule_id }) => rule_id === id)
      .map(({ block_number, tx_hash }) => `${block_number} ${tx_hash}`)
      .toSorted(),
  );
}

async function samplesOf(target_id: string): Promise<string[]> {
  const rows = await world.h.app.db
    .selectFrom("samples")
    .select(["height", "evidence"])
    .where("series_id", "=", target_id)
    .orderBy("height")
    .orderBy("position")
    .execute();
  return rows.map(({ height, evidence }) => `${height} ${(evidence as { tx_hash: string }).tx_hash}`);
}
