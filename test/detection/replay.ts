import type { DetectionChain, Sending } from "./chain.ts";
import { type Incident, makeStage, momentAt, type Scene, type Signal } from "./scene.ts";
import { seeded, seedOf } from "./traffic.ts";

export type Staged = {
  incident: Incident;
  scene: Scene;
  random: () => number;
  attackedAt: number | undefined;
};

/** A signal with the block in which it was there to be seen. */
export type DueSignal = Signal & { staged: Staged; height: number; time: number };

/** Deploys the contracts of all incidents on one chain. The traffic of an incident follows from its name and a seed. */
export async function stageAll(
  chain: DetectionChain,
  incidents: readonly Incident[],
  trafficSeed = 1,
): Promise<Staged[]> {
  const staged: Staged[] = [];
  for (const incident of incidents) {
    const scene = await incident.setUp(makeStage(chain));
    const random = seeded(trafficSeed * 7919 + seedOf(incident.name));
    staged.push({ incident, scene, random, attackedAt: undefined });
  }
  return staged;
}

/** Mines a block of ordinary traffic of all scenes. */
export async function mineOrdinary(
  chain: DetectionChain,
  staged: readonly Staged[],
  seconds: number,
  more: readonly Sending[] = [],
): Promise<{ height: number; time: number }> {
  const time = chain.now() + seconds;
  const ordinary = staged.flatMap(
    ({ scene, random }) => scene.traffic?.(momentAt(time, seconds, random)) ?? [],
  );
  return chain.mine(time, [...ordinary, ...more]);
}

type Playing = {
  stepSeconds?: number;
  /** The time between blocks while nothing is due. */
  waitSeconds?: number;
  traffic?: boolean;
  afterBlock(): Promise<void>;
};

/**
 * Plays the attacks of all scenes at the same time, each with its own start, in blocks of 12 seconds. Calls back after each
 * block and returns the signals with their blocks.
 */
export async function playAttacks(
  chain: DetectionChain,
  staged: readonly Staged[],
  { stepSeconds = 12, waitSeconds = 60, traffic = true, afterBlock }: Playing,
): Promise<DueSignal[]> {
  const start = chain.now() + stepSeconds;
  const plans = staged
    .flatMap((one, index) =>
      one.scene.attack.map((step) => ({ one, step, time: start + index * stepSeconds + step.at })),
    )
    .sort((a, b) => a.time - b.time);
  const due: DueSignal[] = [];
  const tailSeconds = 15 * stepSeconds;
  let [end, lastAt] = [start, start];
  while (chain.now() < end || plans.length > 0) {
    const untilNext = (plans[0]?.time ?? Number.POSITIVE_INFINITY) - chain.now();
    // Nothing is awaited while only time passes.
    const isWaiting = chain.now() > lastAt + tailSeconds && untilNext > 2 * waitSeconds;
    const seconds = isWaiting ? waitSeconds : stepSeconds;
    const now = plans.filter((plan) => plan.time <= chain.now() + seconds);
    plans.splice(0, now.length);
    const sendings = now.flatMap(({ step }) => step.send?.() ?? []);
    const block = await mineOrdinary(chain, traffic ? staged : [], seconds, sendings);
    if (now.length > 0) [lastAt, end] = [block.time, block.time + tailSeconds];
    for (const { one, step } of now) {
      one.attackedAt ??= block.height;
      for (const signal of step.signals ?? []) due.push({ ...signal, staged: one, ...block });
    }
    await afterBlock();
  }
  return due;
}
