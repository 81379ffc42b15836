import { z } from "zod";
import type { Call } from "../../chains/activity.ts";

const directions = ["to", "from", "any"] as const;
export type CallDirection = (typeof directions)[number];

/** Which transactions count. People who watch a wallet mean those that it sends. */
export function directionField(what: string) {
  return z
    .enum(directions)
    .default("to")
    .describe(`${what} to the address, from it, or both; \`from\` is for wallets, such as that of a keeper`);
}

export function isInDirection(direction: CallDirection, call: Call): boolean {
  return direction === "any" || call.direction === direction || call.from === call.to;
}
