import type { Severity } from "../../lib/severity.ts";
import type { Alert, Message, MessageKind } from "../channel.ts";
import { oneLine } from "./plain-text.ts";

/** What a message is about, in a few words and on one line. */
export function headline({ kind, severity, alerts }: Message): string {
  const [first, ...others] = alerts;
  const what = others.length === 0 ? titleOf(first) : `${alerts.length} alarms${where(alerts)}`;
  return `${opening(kind, severity)}: ${what}`;
}

/** The title of an alarm; providers refuse a message in which it is empty. */
export function titleOf(alert: Alert): string {
  return oneLine(alert.title, 200) || "An alarm without a name";
}

function opening(kind: MessageKind, severity: Severity): string {
  if (kind === "fired") return severityWords[severity];
  if (kind === "renotified") return `Still ${severity === "info" ? "true" : severity}`;
  return { acknowledged: "Acknowledged", resolved: "Resolved", retracted: "Retracted", test: "Test" }[kind];
}

export const severityWords: Record<Severity, string> = {
  info: "Info",
  warning: "Warning",
  critical: "Critical",
};

function where([first, ...others]: Message["alerts"]): string {
  const isOne = others.every(({ chain }) => chain.chain_id === first.chain.chain_id);
  return isOne ? ` on ${oneLine(first.chain.name, 60)}` : "";
}

/** What happened to one alarm, in a sentence or two. */
export function sentence({ kind, at }: Pick<Message, "kind" | "at">, alert: Alert): string {
  const said = oneLine(alert.message, 1000) || "Nothing more is known.";
  switch (kind) {
    case "fired":
      return said;
    case "renotified":
      return `It has gone on for ${duration(alert.fired_at, at)}. ${said}`;
    case "acknowledged":
      return `${oneLine(alert.acknowledged_by ?? "", 200) || "Somebody"} is seeing to it. ${said}`;
    case "resolved":
      return `It is over after ${duration(alert.fired_at, alert.resolved_at ?? at)}. It was: ${said}`;
    case "retracted":
      return `The chain reorganised; this did not happen. What was said before: ${said}`;
    case "test":
      return `This is a test; nothing is wrong. ${said}`;
  }
}

/** A span of time in its two largest units. */
export function duration(from: Date, to: Date): string {
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
  const units = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  const parts = units.map(([size, name], index) => {
    const above = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { count: Math.floor((seconds % above) / size), name };
  });
  const start = parts.findIndex(({ count }) => count > 0);
  if (start === -1) return "0 s";
  const shown = parts.slice(start, start + 2).filter(({ count }) => count > 0);
  return shown.map(({ count, name }) => `${count} ${name}`).join(" ");
}
