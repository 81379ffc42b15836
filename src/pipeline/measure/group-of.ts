import { createHash } from "node:crypto";
import { toPlain } from "../../lib/plain-json.ts";
import type { Reading } from "../../meters/meter.ts";

/** By what a rule groups readings: the sender of the transaction, or an argument of the call or event. */
export type GroupBy = { by: "sender" } | { by: "argument"; name: string };

/** A longer value is shortened, with a hash that keeps different values apart. */
const maxGroupLength = 120;

/** Parses `sender` or `args.<name>`; undefined if the text is neither. */
export function parseGroupBy(text: string): GroupBy | undefined {
  if (text === "sender") return { by: "sender" };
  return /^args\.[$\w]+$/.test(text) ? { by: "argument", name: text.slice("args.".length) } : undefined;
}

/** Writes what readings are grouped by, as on the wire. */
export function groupText(group_by: GroupBy): string {
  return group_by.by === "sender" ? "sender" : `args.${group_by.name}`;
}

/** Names what readings are grouped by, for the text of an event. */
export function groupName(group_by: GroupBy): string {
  return group_by.by === "sender" ? "sender" : group_by.name;
}

/** Returns the group of a reading; undefined if it has no such sender or argument, so that it belongs to no group. */
export function groupOf(
  group_by: GroupBy,
  { evidence = {} }: Pick<Reading, "evidence">,
  sender?: string | undefined,
): string | undefined {
  if (group_by.by === "sender") return sender ?? senderIn(evidence);
  const { args = {} } = (evidence.decoded ?? {}) as { args?: Record<string, unknown> };
  return Object.hasOwn(args, group_by.name) ? valueText(args[group_by.name]) : undefined;
}

/** Only the evidence of a transaction has its value; `from` of a transfer event is the holder. */
function senderIn(evidence: Record<string, unknown>): string | undefined {
  const sender = evidence.sender ?? ("value" in evidence ? evidence.from : undefined);
  return typeof sender === "string" ? sender : undefined;
}

function valueText(value: unknown): string {
  const plain = toPlain(value);
  // PostgreSQL stores no null character in a text.
  const text = (typeof plain === "string" ? plain : JSON.stringify(plain)).replaceAll("\0", "\\0");
  if (text.length <= maxGroupLength) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.slice(0, maxGroupLength - 20)}… #${hash}`;
}
