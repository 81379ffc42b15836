import type { DecodedValue } from "../../chains/decoding/decoded-value.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { changeOf } from "../change.ts";
import type { TimedReading } from "../meter.ts";
import { toUnits } from "../units.ts";

/** Longer states are stored as a hash, because every poll stores one. */
const maxCharacters = 200;

/** Measures a return value: a number as itself, a boolean as 0 or 1, any other type as 1 if it changed. */
export function measureReturnValue(
  returned: DecodedValue,
  decimals: number,
  previous: TimedReading | undefined,
): { value: number; evidence: Record<string, unknown> } {
  const state = stateOf(returned);
  if (typeof returned === "bigint")
    return { value: toUnits(returned, decimals), evidence: { state, returned } };
  if (typeof returned === "boolean") return { value: returned ? 1 : 0, evidence: { state, returned } };
  return changeOf(state, previous);
}

/** The exact value as text: two different integers may be the same double. */
function stateOf(returned: DecodedValue): string {
  const text = typeof returned === "object" ? JSON.stringify(returned, withoutBigInt) : String(returned);
  return text.length > maxCharacters ? keccakOfText(text) : text;
}

function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
