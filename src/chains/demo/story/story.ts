import type { Call } from "../evm/machine.ts";
import { type IncidentName, incidentNames, incidentOf } from "./incidents.ts";
import { opening } from "./opening.ts";
import { rollDice } from "./random.ts";
import { price, priceEverySeconds, traffic } from "./traffic.ts";

/** Blocks between the starts of two incidents: five minutes. */
export const incidentEvery = 150;
/** Blocks between two reorgs. */
export const reorgEvery = 400;

/** What a block depends on besides its height. `requested` are incidents that someone asked for, by the height of their start. */
export type Situation = {
  seed: string;
  time: number;
  parentTime: number;
  /** A block that a reorg replaces has another branch. */
  branch: number;
  requested: ReadonlyMap<number, IncidentName>;
  /** The height at which the past ends, before which nothing but ordinary traffic happens. */
  startsAt: number;
};

/** The transactions of a block. They depend on nothing but the arguments, so that a block can be made again. */
export function callsOf(height: number, situation: Situation): Call[] {
  if (height === 0) return [];
  if (height === 1) return opening();
  const dice = rollDice(situation.seed, height, situation.branch);
  const going = ongoing(height, situation);
  const isSilent = going.some(({ incident }) => incident.isKeeperSilent);
  return [
    ...(isPriceDue(situation) && !isSilent ? [price(dice, height)] : []),
    ...traffic(dice, situation),
    ...going.flatMap(({ incident, step }) => incident.calls(step)),
  ];
}

function isPriceDue({ time, parentTime }: Situation): boolean {
  return Math.floor(time / priceEverySeconds) > Math.floor(parentTime / priceEverySeconds);
}

/** The incidents that last at a height, or ended at most `after` blocks before it, with the blocks since their start. */
export function ongoing(
  height: number,
  { requested, startsAt }: Pick<Situation, "requested" | "startsAt">,
  after = 0,
) {
  const scheduled = startOf(height, startsAt);
  const starts = [...requested, ...(scheduled ? [scheduled] : [])];
  return starts
    .map(([start, name]) => ({ incident: incidentOf(name), step: height - start }))
    .filter(({ incident, step }) => step >= 0 && step < incident.blocks + after);
}

/** The incident of the schedule whose turn it is. */
function startOf(height: number, startsAt: number): [number, IncidentName] | undefined {
  const turn = Math.floor((height - startsAt) / incidentEvery);
  if (turn < 1) return undefined;
  return [startsAt + turn * incidentEvery, incidentNames[turn % incidentNames.length] as IncidentName];
}
