import type { App } from "../../src/app.ts";
import type { Block } from "../../src/chains/block.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { makeLocalBus } from "../../src/lib/bus/bus.ts";
import type { Random } from "../../src/lib/random.ts";
import type { ChainState } from "../../src/pipeline/follow/apply-batch.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { runChain } from "../../src/pipeline/follow/run-chain.ts";
import { type Dice, makeDice } from "../pipeline/dice.ts";
import type { ScriptedChain } from "../pipeline/scripted-chain.ts";
import type { Lane } from "./lane.ts";
import type { Actor, Scheduler } from "./scheduler.ts";
import { type NodeFaults, SimulatedNodes } from "./simulated-nodes.ts";
import { openSimulatedStore, type SimulatedStore, type StoreFaults } from "./simulated-store.ts";

/** What the engines of a world share. */
export type Surroundings = {
  lane: Lane;
  scheduler: Scheduler;
  chain: ScriptedChain;
  definition: Chain;
  groupsInMemory: number;
  oldTip(): Block | undefined;
  nodeFaults: NodeFaults;
  storeFaults: StoreFaults;
  /** Called when a batch is committed, with the height to which it rolled back, if it did. */
  onBatch(engine: Engine, rolledBackTo: number | undefined): Promise<void>;
};

/** An engine process of the simulation: the service's own loop on simulated ports. */
export class Engine {
  readonly actor: Actor;
  readonly follower: Follower;
  private readonly nodes: SimulatedNodes;
  private readonly stopping = new AbortController();
  private readonly done: Promise<void>;
  /** The batch that the open transaction writes. */
  private batch: { rolledBackTo: number | undefined } | undefined;

  constructor(surroundings: Surroundings, name: string, seed: number) {
    const { scheduler, chain, definition, nodeFaults: faults, oldTip } = surroundings;
    this.actor = { name, isDead: false, pausedUntil: 0 };
    const dice = makeDice(seed);
    const store = this.openStore(surroundings, dice);
    const simulated = simulatedApp(surroundings, this.actor, store, dice);
    const config = { ...simulated.config, groupsInMemory: surroundings.groupsInMemory };
    const app = { ...simulated, config };
    this.nodes = new SimulatedNodes({ scheduler, actor: this.actor, dice }, { chain, faults, oldTip });
    this.follower = new Follower(app, definition, this.nodes);
    this.done = runChain(app, definition, this.nodes, this.stopping.signal, this.follower);
  }

  /** The engine state between two steps; undefined during one, and before it is loaded. */
  get restingState(): ChainState | undefined {
    return this.nodes.isAwaited ? this.follower.state : undefined;
  }

  kill(): void {
    this.actor.isDead = true;
  }

  /** Stops gracefully, which releases the lease; the scheduler has to run until it is done. */
  stop(): Promise<void> {
    this.stopping.abort();
    return this.done;
  }

  private openStore(surroundings: Surroundings, dice: Dice): SimulatedStore {
    const { lane, scheduler, storeFaults } = surroundings;
    return openSimulatedStore({
      client: lane.client,
      scheduler,
      actor: this.actor,
      dice,
      faults: storeFaults,
      onStatement: (text, parameters) => this.observe(text, parameters),
      onCommit: async () => {
        if (this.batch) await surroundings.onBatch(this, this.batch.rolledBackTo);
        this.batch = undefined;
      },
    });
  }

  /** Recognises the statements of a batch, because the commit itself may be the last thing that happens. */
  private observe(text: string, parameters: readonly unknown[]): void {
    if (text === "begin") this.batch = undefined;
    if (text.includes("insert into chain_blocks")) this.batch ??= { rolledBackTo: undefined };
    if (text.includes('delete from "chain_blocks"') && text.includes('"height" >'))
      this.batch = { rolledBackTo: Number(parameters.at(-1)) };
  }
}

/** The service's ports, simulated for one process. */
export function simulatedApp(
  { lane, scheduler }: Pick<Surroundings, "lane" | "scheduler">,
  actor: Actor,
  store: SimulatedStore,
  dice: Dice,
): App {
  return {
    ...lane.h.app,
    db: store.db,
    clock: scheduler.clock(actor),
    random: seededRandom(dice),
    bus: makeLocalBus(),
    faults: { hit: (point) => (store.isInTransaction ? undefined : scheduler.wait(actor, point)) },
  };
}

function seededRandom(dice: Dice): Random {
  return { bytes: (count) => Buffer.from(Array.from({ length: count }, () => dice.between(0, 255))) };
}
