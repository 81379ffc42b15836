import { z } from "zod";

/** An amount of 64 bits as nodes and streams return it. */
export const lamports = z
  .union([
    z
      .number()
      .nonnegative()
      .lt(2 ** 64),
    z
      .bigint()
      .nonnegative()
      .lt(2n ** 64n),
  ])
  .transform((value) => (typeof value === "bigint" ? value : BigInt(Math.trunc(value))));

/** An amount of lamports beyond the integers that a number represents exactly. */
const holdsLarge = /"(?:lamports|preBalances|postBalances)"\s*:\s*\[?[\d\s,]*?\d{16}/;

/** Parses the reply of a node. Large integers of a reply with such amounts become bigint; few accounts hold as much. */
export function parseReply(text: string): unknown {
  return holdsLarge.test(text) ? JSON.parse(text, toExact) : JSON.parse(text);
}

function toExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const digits = context?.source ?? "";
  const isLarge = typeof value === "number" && value > Number.MAX_SAFE_INTEGER && /^\d+$/.test(digits);
  return isLarge ? BigInt(digits) : value;
}
