import { timeText } from "../../lib/text.ts";
import { labelledAddress } from "../../meters/words.ts";
import type { Alert } from "../channel.ts";
import { oneLine } from "./plain-text.ts";

/** A fact about an alert: one line of text and an optional link. */
export type Fact = { name: string; value: string; url: string | null };

/** Returns the facts of an alert, the most useful first. At most ten, which is Slack's limit. */
export function factsOf(alert: Alert): Fact[] {
  const { contract, chain, transaction, decoded } = alert;
  return [
    fact("Measured", comparison(alert)),
    contract && fact("Contract", `${oneLine(contract.label, 200)} (${contract.address})`, contract.url),
    fact("Chain", `${chain.name} (${chain.chain_id})`),
    decoded && fact("Call or event", decodedLine(decoded), null, 800),
    transaction && fact("Transaction", transaction.hash, transaction.url),
    fact("Block", blockLine(alert)),
    alert.rule && fact("Rule", alert.rule.name),
    fact("Since", timeText(alert.fired_at)),
    alert.resolved_at && fact("Until", timeText(alert.resolved_at)),
  ].filter((fact) => fact !== null);
}

function fact(name: string, value: string | null, url: string | null = null, max = 300): Fact | null {
  const line = oneLine(value ?? "", max);
  return line === "" ? null : { name, value: line, url: webLink(url) };
}

/** Describes the value and the threshold with their unit; null without a value. */
export function comparison({ clause, value, threshold, operator, unit }: Alert): string | null {
  if (clause !== null) return oneLine(clause, 300);
  if (value === null) return null;
  const measured = [formatNumber(value), unit && oneLine(unit, 40)].filter(Boolean).join(" ");
  if (threshold === null) return measured;
  return `${measured}, ${operatorWords[operator] ?? "threshold"} ${formatNumber(threshold)}`;
}

const operatorWords: Record<string, string> = {
  gt: "above",
  gte: "at least",
  lt: "below",
  lte: "at most",
  eq: "exactly",
  neq: "other than",
  change_pct_gt: "a change in % above",
  change_pct_lt: "a change in % below",
};

function formatNumber(value: number): string {
  return value.toLocaleString("en-GB", { maximumSignificantDigits: 12 });
}

const shownArguments = 12;

function decodedLine({ name, args: all }: NonNullable<Alert["decoded"]>): string {
  // Arguments are listed by name and by position; the position says something only about those without a name.
  const named = all.filter((argument) => !/^\$\d+$/.test(argument.name));
  const args = named.length > 0 ? named : all;
  const shown = args
    .slice(0, shownArguments)
    .map((argument) => `${oneLine(argument.name, 40)}: ${oneLine(valueText(argument), 120)}`);
  const left = args.length - shown.length;
  return `${oneLine(name, 100)}(${[...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")})`;
}

function valueText({ value, label }: { value: string; label?: string }): string {
  return label === undefined ? value : labelledAddress(label, value);
}

function blockLine({ block_number, finality }: Alert): string | null {
  if (block_number === null) return null;
  return finality === "pending" ? `${block_number} (may still be reorganised)` : String(block_number);
}

/** Returns a web URL without characters that markup could interpret; null for other schemes or if it is too long. */
export function webLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  const href = url.href.replace(
    /[|()[\]{}*~`'"<>\\^!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return href.length <= 500 ? href : null;
}
