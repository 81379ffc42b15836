import { keccak256, stringToHex } from "viem";
import type { DecodedValue } from "../../chains/decoding/decoded-value.ts";
import { changeOf } from "../change.ts";
import type { TimedReading } from "../meter.ts";
import { toUnits } from "../units.ts";

/** Longer states are kept as their hash: one comes with every poll. */
const maxCharacters = 200;

/** What a returned value measures: a number as itself, true as 1, and anything else whether it changed. */
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

/** Exact, where a double may be the same for two different integers. */
function stateOf(returned: DecodedValue): string {
  const text = typeof returned === "object" ? JSON.stringify(returned, withoutBigInt) : String(returned);
  return text.length > maxCharacters ? keccak256(stringToHex(text)) : text;
}

function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
