import type { Decoded } from "../chains/activity.ts";
import { onFirstUse } from "../lib/caching/on-first-use.ts";

type WithEvidence = { evidence?: Record<string, unknown> };

/** The labels of contracts by their address. */
export type Names = ReadonlyMap<string, string>;
export const noNames: Names = new Map();

/** Writes the addresses of an event text: short ones for a lock screen, whole ones for a mail, labels for contracts of the org. */
export type Words = { names: Names; address(address: unknown): string };

export function briefWords(names: Names): Words {
  return wordsWith(names, shortAddress);
}

export function fullWords(names: Names): Words {
  return wordsWith(names, (address) => address);
}

function wordsWith(names: Names, write: (address: string) => string): Words {
  return {
    names,
    address(address) {
      if (!isAddress(address)) return "unknown";
      const label = names.get(address);
      return label === undefined ? write(address) : labelledAddress(label, address);
    },
  };
}

/** The ends of the address stay, because a label can be that of another contract too. */
export function labelledAddress(label: string, address: string): string {
  return `${label} (${shortAddress(address)})`;
}

/** Shortens an address or a hash to its ends, which people compare. */
function shortAddress(address: string): string {
  const start = address.startsWith("0x") ? 6 : 4;
  return address.length > 16 ? `${address.slice(0, start)}…${address.slice(-4)}` : address;
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Writes a number for people: with thousands separators, and without digits that nobody reads. */
export function numberText(value: number): string {
  const { large, small } = formats();
  return (Math.abs(value) >= 1_000 ? large : small).format(value);
}

export function percentText(share: number): string {
  return `${formats().percent.format(share * 100)} %`;
}

// Made once: `toLocaleString` would make one for each number, which took a tenth of the time of a busy engine.
const formats = onFirstUse(() => {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat("en-GB", options);
  return {
    large: format({ maximumFractionDigits: 2 }),
    small: format({ maximumSignificantDigits: 6 }),
    percent: format({ maximumSignificantDigits: 3 }),
  };
});

/** Writes a change from what to what; what was unknown before is left out. */
export function changeText(before: unknown, after: unknown, words: Words): string {
  return before === undefined || before === null
    ? words.address(after)
    : `${words.address(before)} → ${words.address(after)}`;
}

/** Names the sender of the transaction of a reading; empty where the transaction was not read. */
export function senderText(reading: WithEvidence | undefined, words: Words): string {
  const { evidence = {} } = reading ?? {};
  // Only the evidence of a transaction has its value; `from` of a transfer event is the holder.
  const sender = evidence.sender ?? ("value" in evidence ? evidence.from : undefined);
  return isAddress(sender) ? ` by ${words.address(sender)}` : "";
}

/** Says why the transaction of a reading failed, in the words of the program; empty where that is not known. */
export function failureText(reading: WithEvidence | undefined): string {
  const { error_name: name, error_code: code, error_message: message } = reading?.evidence ?? {};
  if (typeof name !== "string" && typeof code !== "number") return "";
  const what = typeof name === "string" ? name : `error ${code}`;
  return `: ${what}${typeof message === "string" ? ` (${message})` : ""}`;
}

/** The decoded call or event of a reading. */
export function decodedOf(reading: WithEvidence | undefined): Decoded | undefined {
  return reading?.evidence?.decoded as Decoded | undefined;
}

const shownArguments = 4;

/** Writes a decoded call or event with its arguments by name. */
export function decodedText({ name, args }: Decoded, words: Words): string {
  const all = Object.entries(args);
  const named = all.filter(([key]) => !key.startsWith("$"));
  const entries = named.length > 0 ? named : all;
  const shown = entries
    .slice(0, shownArguments)
    .map(([key, value]) => `${key}: ${argumentText(value, words)}`);
  return `${name}(${[...shown, ...(entries.length > shownArguments ? ["…"] : [])].join(", ")})`;
}

function argumentText(value: unknown, words: Words): string {
  if (typeof value === "bigint") return value.toLocaleString("en-GB");
  if (typeof value === "string") return stateText(value, words);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "…";
}

const shownCharacters = 60;

/** Writes a value that is not a number: an address or bytes by its ends, any other text by its start. */
export function stateText(value: unknown, words: Words): string {
  const text = String(value);
  if (text === "") return "an empty text";
  if (text.startsWith("0x") || words.names.has(text)) return words.address(text);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** The name of an event or function without its parameters. */
export function nameIn(signature: string): string {
  return signature.replace(/^(event|function)\s+/, "").split("(")[0] ?? signature;
}
