import { fanOutFew, fanOutMany } from "../../src/delivery/fan-out.ts";
import { RoundRobin } from "../../src/delivery/pick-lanes.ts";
import { makeDice } from "../pipeline/dice.ts";
import { type Surroundings, simulatedApp } from "./engine.ts";
import type { Actor } from "./scheduler.ts";
import { openSimulatedStore } from "./simulated-store.ts";

/** Starts a process that turns notices into deliveries until it dies. */
export function startFanOut(surroundings: Surroundings, name: string, seed: number): Actor {
  const { lane, scheduler, storeFaults } = surroundings;
  const actor: Actor = { name, isDead: false, pausedUntil: 0 };
  const dice = makeDice(seed);
  const store = openSimulatedStore({
    client: lane.client,
    scheduler,
    actor,
    dice,
    faults: storeFaults,
    onStatement: () => undefined,
    onCommit: async () => undefined,
  });
  const app = simulatedApp(surroundings, actor, store, dice);
  const turns = new RoundRobin();
  const run = async () => {
    for (;;) {
      await fanOutFew(app).catch(() => undefined);
      await fanOutMany(app, turns).catch(() => undefined);
      await app.clock.sleep(2_000);
    }
  };
  void run();
  return actor;
}
