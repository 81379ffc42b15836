import type { Block } from "../../src/chains/block.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { type Dice, makeDice } from "../pipeline/dice.ts";
import { ReorgScript } from "../pipeline/reorgs/reorg-script.ts";
import { ScriptedChain } from "../pipeline/scripted-chain.ts";
import { checkDueTimes, compareMemory } from "./compare-memory.ts";
import { compareDeliveries, compareStore, hasWaitingNotices } from "./compare-store.ts";
import { Engine, type Surroundings } from "./engine.ts";
import { ExpectedHistory } from "./expected-history.ts";
import { startFanOut } from "./fan-out.ts";
import { clearLane, type Lane } from "./lane.ts";
import { type Actor, Scheduler } from "./scheduler.ts";
import { SimulatedUser } from "./user.ts";

const disturbances = [
  "move",
  "change",
  "change",
  "change",
  "kill",
  "start",
  "pause",
  "hand_over",
  "faults",
  "fan_out",
] as const;

/** Steps after which a world counts as stuck. */
const maxSteps = 60_000;

/** Simulates one world from its seed and compares what it stored. Returns a digest of everything that happened. */
export async function simulate(lane: Lane, seed: number): Promise<string> {
  await clearLane(lane);
  const world = new World(lane, seed);
  await world.begin();
  await world.run();
  await world.end();
  return world.digest();
}

class World {
  private readonly lane: Lane;
  private readonly seed: number;
  private readonly dice: Dice;
  private readonly scheduler: Scheduler;
  private readonly chain = new ScriptedChain();
  private readonly history = new ExpectedHistory();
  private readonly user: SimulatedUser;
  private readonly surroundings: Surroundings;
  private script: ReorgScript | undefined;
  /**
   * How often the chain moves without anything else. What an engine keeps in memory is tested in a calm world, where it lives
   * long, and what it stores in one where it does not.
   */
  private readonly calm: number;
  /** The numbers of steps between two moves. */
  private readonly paces: number[];
  private engines: Engine[] = [];
  private fanOut: Actor | undefined;
  private started = 0;
  private oldTip: Block | undefined;
  /** The block to which the store has followed the chain. */
  private cursor: Block;
  /** A restart, a hand-over or a rollback since the last comparison. */
  private isCheckDue = false;

  constructor(lane: Lane, seed: number) {
    this.lane = lane;
    this.seed = seed;
    this.dice = makeDice(seed);
    this.scheduler = new Scheduler(makeDice(seed + 1_000_003));
    this.cursor = this.chain.tip;
    this.user = new SimulatedUser(lane, makeDice(seed + 2_000_003), this.history);
    this.calm = this.dice.pick([0.4, 0.7, 0.95]);
    this.paces = this.dice.pick([
      [0, 1, 5, 20],
      [5, 20, 40],
      [30, 60],
    ]);
    const finality_depth = this.dice.pick([2, 12]);
    this.surroundings = {
      lane,
      scheduler: this.scheduler,
      chain: this.chain,
      definition: { ...(chainOf("local") as Chain), finality_depth },
      groupsInMemory: this.dice.pick([1, 3, 10_000]),
      oldTip: () => this.oldTip,
      nodeFaults: { failure: 0, lag: 0, stale: 0, maxDelayMs: 0, maxReadDelayMs: 0 },
      storeFaults: { failure: 0, kill: 0 },
      onBatch: (engine, rolledBackTo) => this.recordBatch(engine, rolledBackTo),
    };
  }

  /** Every engine starts from the same block: the first one stores it. */
  async begin(): Promise<void> {
    await this.user.register(this.seed);
    const addresses = this.user.contracts.map(({ address }) => address);
    this.script = new ReorgScript(this.dice, this.chain, addresses, {
      seed: this.seed,
      fork: this.dice.pick([0.2, 0.4, 0.6]),
      activity: this.dice.pick([0.2, 0.4, 0.7]),
    });
    const engine = this.startEngine();
    while (!engine.follower.cursor) await this.step();
    this.startFanOut();
  }

  async run(): Promise<void> {
    if (!this.dice.chance(this.calm)) this.drawFaults();
    for (let events = this.dice.between(15, 40); events > 0; events--) {
      await this.disturb();
      for (let steps = this.dice.pick(this.paces); steps > 0; steps--) await this.step();
      if (this.isCheckDue || this.dice.chance(0.15)) await this.compare();
    }
  }

  /** Ends all faults, lets the engines catch up, and compares everything. */
  async end(): Promise<void> {
    Object.assign(this.surroundings.nodeFaults, {
      failure: 0,
      lag: 0,
      stale: 0,
      maxDelayMs: 50,
      maxReadDelayMs: 50,
    });
    Object.assign(this.surroundings.storeFaults, { failure: 0, kill: 0 });
    for (let blocks = 0; blocks < 4; blocks++) this.chain.mine();
    for (let steps = 0; this.cursor.hash !== this.chain.tip.hash; steps++) {
      if (steps > maxSteps) throw new Error(`The engines do not reach block ${this.chain.tip.height}.`);
      await this.step();
    }
    await this.runFor(10_000);
    // A balance that was read at the very end may still be on its way.
    for (let rounds = 0; rounds < 10 && (await hasWaitingNotices(this.lane.h.app.db)); rounds++)
      await this.runFor(2_500);
    await this.compare();
    await compareDeliveries(this.lane.h.app.db);
    for (const engine of this.living) engine.kill();
  }

  digest(): string {
    return this.scheduler.digest();
  }

  private get living(): Engine[] {
    return this.engines.filter(({ actor }) => !actor.isDead);
  }

  private async step(): Promise<void> {
    this.replaceDead();
    if (!(await this.scheduler.step())) throw new Error("No process of the simulated world can continue.");
  }

  private replaceDead(): void {
    if (this.living.length === 0) this.startEngine();
    if (this.fanOut?.isDead) this.startFanOut();
  }

  private async runFor(ms: number): Promise<void> {
    for (const until = this.scheduler.now + ms; this.scheduler.now < until; ) await this.step();
  }

  /** Changes something at random. */
  private async disturb(): Promise<void> {
    const { dice } = this;
    const kind = dice.chance(this.calm) ? "move" : dice.pick(disturbances);
    this.scheduler.record(`world ${kind}`);
    if (kind === "move") this.moveChain();
    else if (kind === "change") this.scheduler.record(await this.user.change());
    else if (kind === "kill") this.killEngine();
    else if (kind === "start") this.startEngine();
    else if (kind === "pause") this.pauseEngine();
    else if (kind === "hand_over") await this.handOver();
    else if (kind === "faults") this.drawFaults();
    else this.startFanOut();
  }

  private moveChain(): void {
    const before = this.chain.tip;
    this.script?.move();
    if (!this.chain.branch().includes(before)) this.oldTip = before;
  }

  private startEngine(): Engine {
    const { living } = this;
    if (living.length >= 3) living[0]?.kill();
    const number = ++this.started;
    const engine = new Engine(this.surroundings, `engine${number}`, this.seed * 1_000 + number);
    this.engines = [...this.living, engine];
    this.isCheckDue = true;
    return engine;
  }

  private killEngine(): void {
    const { living } = this;
    if (living.length > 0) this.dice.pick(living).kill();
  }

  /** A pause may outlast the lease, so that another engine takes over. */
  private pauseEngine(): void {
    const { living } = this;
    if (living.length === 0) return;
    const { actor } = this.dice.pick(living);
    actor.pausedUntil = this.scheduler.now + this.dice.pick([500, 3_000, 8_000, 20_000]);
  }

  /** Suspends all engines past their lease while another one continues and dies, so that they return with outdated memory. */
  private async handOver(): Promise<void> {
    for (const { actor } of this.living) actor.pausedUntil = this.scheduler.now + 40_000;
    const before = this.cursor;
    const rival = this.startEngine();
    for (let steps = 0; steps < 600 && this.cursor === before && !rival.actor.isDead; steps++) {
      if (steps % 100 === 0) this.moveChain();
      await this.step();
    }
    rival.kill();
    if (this.living.length > 0) await this.runFor(this.dice.pick([0, 20_000, 60_000]));
  }

  private startFanOut(): void {
    if (this.fanOut) this.fanOut.isDead = true;
    const number = ++this.started;
    this.fanOut = startFanOut(this.surroundings, `fanout${number}`, this.seed * 1_000 + number);
  }

  private drawFaults(): void {
    const { dice, surroundings } = this;
    Object.assign(surroundings.nodeFaults, {
      failure: dice.pick([0, 0, 0.02, 0.2]),
      lag: dice.pick([0, 0, 0.2, 0.6]),
      stale: dice.pick([0, 0, 0.1, 0.5]),
      maxDelayMs: dice.pick([10, 200, 2_000]),
      maxReadDelayMs: dice.pick([10, 2_000, 10_000, 60_000]),
    });
    Object.assign(surroundings.storeFaults, {
      failure: dice.pick([0, 0, 0.003, 0.03]),
      kill: dice.pick([0, 0, 0.002, 0.01]),
    });
  }

  /** Records a committed batch in the expected history. */
  private async recordBatch({ follower }: Engine, rolledBackTo: number | undefined): Promise<void> {
    const { rows } = await this.scheduler.perform(() =>
      this.lane.client.query("select hash from chain_cursors where chain = 'local'"),
    );
    const cursor = this.chain.blocksByHash.get(rows[0]?.hash);
    if (!cursor) throw new Error("The cursor is at a block that never existed.");
    const parent = rolledBackTo ?? this.cursor.height;
    if (rolledBackTo !== undefined) this.isCheckDue = true;
    this.cursor = cursor;
    const watchList = follower.state?.engine.watchList;
    this.history.commit({
      parent,
      blocks: this.chain.branch(cursor).filter(({ height }) => height > parent),
      isMonitored: (id) => watchList?.contract(id) !== undefined,
      versionOf: (id) => watchList?.rule(id)?.version,
    });
    this.scheduler.record(`batch ${parent} ${cursor.height}`);
    if (follower.state) checkDueTimes(follower.state.engine, this.history.ruleIds, cursor.time);
  }

  /** Compares the store with the expected history, and the memory of the engine that holds the lease with the store. */
  private async compare(): Promise<void> {
    const { app } = this.lane.h;
    const { definition } = this.surroundings;
    const canonical = this.chain.branch(this.cursor);
    await compareStore(app.db, this.history, this.user.contracts, canonical.slice(1));
    for (const { restingState: state } of this.living) {
      if (state?.cursor.hash !== this.cursor.hash) continue;
      await compareMemory(app, definition, state, this.history.ruleIds);
      this.isCheckDue = false;
    }
  }
}
