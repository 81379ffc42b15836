import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import { type AbiEntry, type AbiIndex, abiOf } from "./abi.ts";
import { decodeValues, nameValues } from "./abi-data.ts";
import type { AbiType } from "./abi-type.ts";

/** A log, a call or a revert in readable form. `args` has each argument by its name and, as `$0`, by its position. */
export type Decoded = { name: string; signature: string; args: { [name: string]: DecodedValue } };

/**
 * Reads a log. Undefined when the ABI has no such event, or the data is not what the event says. An indexed argument of
 * a type that does not fit into a topic appears as the hash that stands there instead.
 */
export function decodeLog(
  abi: AbiIndex,
  log: { topics: readonly string[]; data: string },
): Decoded | undefined {
  const [topic0 = "", ...topics] = log.topics;
  const entries = abi.events.get(topic0.toLowerCase());
  const data = entries && bytesOf(log.data);
  if (!data) return undefined;
  const words = topics.map(bytesOf);
  if (!words.every((word) => word?.length === 32)) return undefined;
  const candidates = entries.filter((entry) => entry.indexed.filter(Boolean).length === words.length);
  return firstDecoded(candidates, (entry) => logValues(entry, words.filter(isPresent), data));
}

/** Reads the input of a call. Undefined when the ABI has no such function, or the input is not what it takes. */
export function decodeCall(abi: AbiIndex, input: string): Decoded | undefined {
  return decodeSelected(abi.functions, input);
}

const builtIn = abiOf([
  { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
]);

/** Reads what a failed call returned: an error of the ABI, or the `Error` and `Panic` that every contract has. */
export function decodeRevert(abi: AbiIndex, data: string): Decoded | undefined {
  return decodeSelected(abi.errors, data) ?? decodeSelected(builtIn.errors, data);
}

function decodeSelected(
  entriesBySelector: ReadonlyMap<string, readonly AbiEntry[]>,
  input: string,
): Decoded | undefined {
  const entries = entriesBySelector.get(input.slice(0, 10).toLowerCase());
  const data = entries && bytesOf(input)?.subarray(4);
  return data && firstDecoded(entries, (entry) => decodeValues(entry.fields, data));
}

function firstDecoded(
  entries: readonly AbiEntry[],
  read: (entry: AbiEntry) => DecodedValue[],
): Decoded | undefined {
  for (const entry of entries) {
    try {
      const args = nameValues(entry.fields, read(entry));
      return { name: entry.item.name, signature: entry.signature, args };
    } catch (error) {
      if (!(error instanceof MalformedData)) throw error;
    }
  }
  return undefined;
}

function logValues({ fields, indexed }: AbiEntry, topics: Buffer[], data: Buffer): DecodedValue[] {
  const fromTopics = fields
    .filter((_, position) => indexed[position])
    .map(({ type }, position) => topicValue(type, topics[position] ?? Buffer.alloc(0)));
  const fromData = decodeValues(
    fields.filter((_, position) => !indexed[position]),
    data,
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

/** The bytes of a `0x` text, or undefined when it is none. */
function bytesOf(hex: string): Buffer | undefined {
  if (!hex.startsWith("0x")) return undefined;
  const bytes = Buffer.from(hex.slice(2), "hex");
  // `Buffer.from` stops at the first thing it cannot read.
  return bytes.length * 2 === hex.length - 2 ? bytes : undefined;
}
