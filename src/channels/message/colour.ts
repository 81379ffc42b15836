import type { Message } from "../channel.ts";

/** The colour of a message: how bad it is, or that it is over. */
export function colourOf({ kind, severity }: Message): {
  number: number;
  card: "attention" | "warning" | "accent" | "good" | "default";
} {
  if (kind === "resolved") return { number: 0x12b76a, card: "good" };
  if (kind === "retracted" || kind === "test") return { number: 0x667085, card: "default" };
  return bySeverity[severity];
}

const bySeverity = {
  critical: { number: 0xd92d20, card: "attention" },
  warning: { number: 0xf79009, card: "warning" },
  info: { number: 0x2e90fa, card: "accent" },
} as const;
