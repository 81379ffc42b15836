import { type EnginePoint, enginePoints } from "../../src/faults.ts";
import type { Dice } from "../pipeline/dice.ts";

/** The end of an engine. Suspension and the death of the database come in two variants each. */
export type Round = { waitsForLease: boolean } & (
  | { kind: "point"; point: EnginePoint; hits: number }
  | { kind: "any_moment"; afterMs: number }
  | { kind: "starting"; afterMs: number }
  | { kind: "with_database"; afterMs: number; survives: boolean }
  | { kind: "zombie"; point: EnginePoint; hits: number; rivalLives: boolean }
);

/**
 * The points of a short schedule: in a roll back, before a commit and after it. A kill at the other points leaves the same: nothing,
 * or a transaction that PostgreSQL discards.
 */
const essentialPoints = ["engine.after_rollback", "engine.before_commit", "engine.after_commit"] as const;

/** A short schedule also has one of the two variants of a suspension and of the death of the database, and no random moments. */
const isShort = (kills: number) => kills < 20;

/** The fault points at which a schedule kills an engine. */
export function pointsOf(kills: number): readonly EnginePoint[] {
  return isShort(kills) ? essentialPoints : enginePoints;
}

/** Returns at least this many kills, some at every point of `pointsOf`, in random order. */
export function makeSchedule(dice: Dice, kills: number): Round[] {
  const rare = Math.max(1, Math.round(kills / 100));
  const rounds: Round[] = [];
  const add = (count: number, make: (at: number) => Round) => {
    for (let at = 0; at < count; at++) rounds.push(make(at));
  };
  const waitsForLease = false;
  for (const point of pointsOf(kills)) {
    // An engine passes these points rarely: it loads once, and not every step is a reorganisation.
    const most = point === "engine.after_load" || point === "engine.after_rollback" ? 1 : 3;
    add(Math.ceil(kills / 20), () => ({
      kind: "point",
      point,
      hits: dice.between(1, most),
      waitsForLease,
    }));
  }
  add(isShort(kills) ? 0 : Math.ceil(kills / 12), () => ({
    kind: "starting",
    afterMs: dice.between(0, 60),
    waitsForLease,
  }));
  add(isShort(kills) ? 1 : 2 * rare, (at) => ({
    kind: "with_database",
    afterMs: dice.between(20, 800),
    survives: at % 2 === 0,
    waitsForLease,
  }));
  add(rare, (at) => ({
    kind: "zombie",
    point: "engine.before_write",
    hits: dice.between(2, 4),
    rivalLives: true,
    // Takes as long as a lease lasts.
    waitsForLease: at === 0 && kills >= 100,
  }));
  add(isShort(kills) ? 0 : rare, () => ({
    kind: "zombie",
    point: "engine.after_commit",
    hits: dice.between(2, 4),
    rivalLives: false,
    waitsForLease,
  }));
  add(isShort(kills) ? 0 : Math.max(1, kills - rounds.length - 2 * rare), (at) => ({
    kind: "any_moment",
    afterMs: dice.between(20, 800),
    waitsForLease: at % 100 === 99,
  }));
  return shuffle(rounds, dice);
}

function shuffle<Item>(items: Item[], dice: Dice): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(dice.between(0, rest.length - 1), 1)[0] as Item);
}
