import type { ReadResult } from "../../chains/block.ts";
import { compileFields } from "../../chains/evm/abi/abi-type.ts";
import { memoize } from "../../lib/caching/memoize.ts";
import { functionOf } from "../config-filters.ts";
import type { TimedReading } from "../meter.ts";
import { measureReturnValue } from "../state/return-value.ts";
import { returnedValues, UnreadableState } from "../state-results.ts";

export type SettingValue = { name: string; text: string; isNumber: boolean };
export type SettingChange = { name: string; from: string; to: string };

/** What is known of the functions: their values, when they were first read, and when they changed lately. */
type Known = { values: Record<string, string>; since: number; moves: Record<string, number[]> };

const daySeconds = 86_400;
/** A number that moves in this time after the first poll, or anything that moves so often within a day, is no setting. */
const [learningSeconds, maxMoves] = [3_600, 3];

/** Decodes what the functions returned; a function that cannot be read has no value. Throws if none can. */
export function valuesFrom(declarations: readonly string[], results: readonly ReadResult[]): SettingValue[] {
  const values = declarations.flatMap(
    (declaration, index) => decodeSetting(declaration, results[index]) ?? [],
  );
  if (values.length === 0) throw new UnreadableState("None of the functions returned a value.");
  return values;
}

/** Compares values with those of the previous reading. The first values, and those after an event, count as unchanged. */
export function advanceSettings(
  observed: readonly SettingValue[],
  previous: TimedReading | undefined,
  time: number,
): { value: 0 | 1; evidence: Record<string, unknown> } {
  const knownValues = knownFrom(previous);
  const since = knownValues?.since ?? time;
  const moves = { ...knownValues?.moves };
  const changed: SettingChange[] = [];
  for (const { name, text, isNumber } of observed) {
    const from = knownValues?.values[name];
    if (from === undefined || from === text) continue;
    const lately = [...(moves[name] ?? []).filter((at) => at > time - daySeconds), time].slice(-maxMoves);
    const isEarly = isNumber && time < since + learningSeconds;
    moves[name] = isEarly ? Array.from({ length: maxMoves }, () => time) : lately;
    if (moves[name].length < maxMoves) changed.push({ name, from, to: text });
  }
  const values = {
    ...knownValues?.values,
    ...Object.fromEntries(observed.map(({ name, text }) => [name, text])),
  };
  const evidence = { values, since, moves, ...(changed.length > 0 && { changed }) };
  return { value: changed.length > 0 ? 1 : 0, evidence };
}

/** What a reading of an event keeps of the reading before it. */
export function keepMoves(previous: TimedReading | undefined): Record<string, unknown> {
  const knownValues = knownFrom(previous);
  return knownValues ? { since: knownValues.since, moves: knownValues.moves } : {};
}

function knownFrom(previous: TimedReading | undefined): Known | undefined {
  const { values, since, moves } = previous?.evidence ?? {};
  if (typeof since !== "number") return undefined;
  return { values: (values ?? {}) as Known["values"], since, moves: (moves ?? {}) as Known["moves"] };
}

const getterOf = memoize(2_000, (declaration) => {
  const item = functionOf(declaration)?.item;
  return item && { name: item.name, outputs: compileFields(item.outputs) };
});

function decodeSetting(declaration: string, result: ReadResult | undefined): SettingValue | undefined {
  const getter = getterOf(declaration);
  if (!getter) return undefined;
  const { name, outputs } = getter;
  try {
    const [returned] = returnedValues(result, name, outputs);
    if (returned === undefined) return undefined;
    const { evidence } = measureReturnValue(returned, 0, undefined);
    return { name, text: String(evidence.state), isNumber: typeof returned === "bigint" };
  } catch (error) {
    if (error instanceof UnreadableState) return undefined;
    throw error;
  }
}
