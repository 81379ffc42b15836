import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import { type AbiEntry, type AbiIndex, abiOf } from "./abi.ts";
import { type DecodingBudget, decodeValues, nameValues } from "./abi-data.ts";
import type { AbiType } from "./abi-type.ts";
import type { Decoded } from "./decoded.ts";
import { decodeOnce } from "./decoding-memo.ts";

/**
 * Decodes a log; undefined when the ABI has no such event or the data does not match it. An indexed argument of a type that
 * does not fit into a topic is returned as the hash in the topic.
 */
export function decodeLog(
  abi: AbiIndex,
  log: { topics: readonly string[]; data: string },
): Decoded | undefined {
  const entries = abi.events.get(log.topics[0]?.toLowerCase() ?? "");
  return entries && decodeOnce(log.topics, log.data, entries, (budget) => decodeLogAs(entries, log, budget));
}

function decodeLogAs(
  entries: readonly AbiEntry[],
  log: { topics: readonly string[]; data: string },
  budget: DecodingBudget,
): Decoded | undefined {
  const data = bytesOf(log.data);
  if (!data) return undefined;
  const words = log.topics.slice(1).map(bytesOf);
  if (!words.every((word) => word?.length === 32)) return undefined;
  const candidates = entries.filter((entry) => entry.indexed.filter(Boolean).length === words.length);
  return firstDecoded(candidates, budget, (entry) => logValues(entry, words.filter(isPresent), data, budget));
}

/** Decodes the input of a call; undefined when the ABI has no such function or the input does not match it. */
export function decodeCall(abi: AbiIndex, input: string): Decoded | undefined {
  return decodeSelected(abi.functions, input);
}

const builtIn = onFirstUse(() =>
  abiOf([
    { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
    { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
  ]),
);

/** Decodes the data of a reverted call: an error of the ABI, or the built-in `Error` and `Panic`. */
export function decodeRevert(abi: AbiIndex, data: string): Decoded | undefined {
  return decodeSelected(abi.errors, data) ?? decodeSelected(builtIn().errors, data);
}

function decodeSelected(
  entriesBySelector: ReadonlyMap<string, readonly AbiEntry[]>,
  input: string,
): Decoded | undefined {
  const entries = entriesBySelector.get(input.slice(0, 10).toLowerCase());
  return entries && decodeOnce(input, input, entries, (budget) => decodeInputAs(entries, input, budget));
}

function decodeInputAs(
  entries: readonly AbiEntry[],
  input: string,
  budget: DecodingBudget,
): Decoded | undefined {
  const data = bytesOf(input)?.subarray(4);
  return data && firstDecoded(entries, budget, (entry) => decodeValues(entry.fields, data, budget));
}

/**
 * Returns the first layout that fits. All layouts share one budget, because the ABI, which a user supplies, determines their
 * number.
 */
function firstDecoded(
  entries: readonly AbiEntry[],
  budget: DecodingBudget,
  read: (entry: AbiEntry) => DecodedValue[],
): Decoded | undefined {
  for (const entry of entries) {
    if (budget.bytes <= 0) return undefined;
    try {
      const args = nameValues(entry.fields, read(entry));
      return { name: entry.item.name, signature: entry.signature, args };
    } catch (error) {
      if (!(error instanceof MalformedData)) throw error;
    }
  }
  return undefined;
}

function logValues(
  { fields, indexed }: AbiEntry,
  topics: Buffer[],
  data: Buffer,
  budget: DecodingBudget,
): DecodedValue[] {
  const fromTopics = fields
    .filter((_, position) => indexed[position])
    .map(({ type }, position) => topicValue(type, topics[position] ?? Buffer.alloc(0)));
  const fromData = decodeValues(
    fields.filter((_, position) => !indexed[position]),
    data,
    budget,
  );
  return indexed.map((isIndexed) => (isIndexed ? fromTopics : fromData).shift()).filter(isPresent);
}

function topicValue(type: AbiType, topic: Buffer): DecodedValue {
  const isHashed = type.isDynamic || type.kind === "array" || type.kind === "tuple";
  if (isHashed) return `0x${topic.toString("hex")}`;
  const [value] = decodeValues([{ name: "", type }], topic);
  if (value === undefined) throw new MalformedData("A topic is missing.");
  return value;
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Converts `0x` text to bytes; undefined when it is not hexadecimal. */
function bytesOf(hex: string): Buffer | undefined {
  if (!hex.startsWith("0x")) return undefined;
  const bytes = Buffer.from(hex.slice(2), "hex");
  // `Buffer.from` stops at the first invalid character.
  return bytes.length * 2 === hex.length - 2 ? bytes : undefined;
}
