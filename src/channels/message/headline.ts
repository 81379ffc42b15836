import type { Severity } from "../../lib/severity.ts";
import { durationText } from "../../lib/text.ts";
import type { Alert, Message, MessageKind } from "../channel.ts";
import { oneLine } from "./plain-text.ts";

/** Returns the headline of a message on one line. */
export function headline({ kind, severity, alerts }: Message): string {
  const [first, ...others] = alerts;
  const subject = others.length === 0 ? titleOf(first) : `${alerts.length} alerts${commonChain(alerts)}`;
  return `${prefixOf(kind, severity)}: ${subject}`;
}

/** Returns the title of an alert, never empty: providers reject an empty title. */
export function titleOf(alert: Alert): string {
  return oneLine(alert.title, 200) || "Untitled alert";
}

function prefixOf(kind: MessageKind, severity: Severity): string {
  if (kind === "fired") return severityWords[severity];
  if (kind === "renotified") return `Still ${severity === "info" ? "firing" : severity}`;
  if (kind === "escalated") return `${severityWords[severity]}, not acknowledged`;
  return { acknowledged: "Acknowledged", resolved: "Resolved", retracted: "Retracted", test: "Test" }[kind];
}

export const severityWords: Record<Severity, string> = {
  info: "Info",
  warning: "Warning",
  critical: "Critical",
};

function commonChain([first, ...others]: Message["alerts"]): string {
  const isSameChain = others.every(({ chain }) => chain.chain_id === first.chain.chain_id);
  return isSameChain ? ` on ${oneLine(first.chain.name, 60)}` : "";
}

/** Describes what happened to one alert, in a sentence or two. */
export function sentence({ kind, at: sentAt }: Pick<Message, "kind" | "at">, alert: Alert): string {
  const description = oneLine(alert.message, 1000) || "No further details.";
  switch (kind) {
    case "fired":
      return description;
    case "renotified":
      return `Ongoing for ${duration(alert.fired_at, sentAt)}. ${description}`;
    case "escalated":
      return `Nobody has acknowledged this for ${duration(alert.fired_at, sentAt)}. ${description}`;
    case "acknowledged":
      return `Acknowledged by ${oneLine(alert.acknowledged_by ?? "", 200) || "a user"}. ${description}`;
    case "resolved":
      return `Resolved after ${duration(alert.fired_at, alert.resolved_at ?? sentAt)}. ${description}`;
    case "retracted":
      return `Retracted: a chain reorganisation removed the block. Original alert: ${description}`;
    case "test":
      return `This is a test alert; no action is needed. ${description}`;
  }
}

/** Writes the time between two moments. */
export function duration(from: Date, to: Date): string {
  return durationText((to.getTime() - from.getTime()) / 1000);
}
