import { memoizePair } from "../../../lib/caching/memoize-pair.ts";
import { runAtOnce, type Steps } from "../../../lib/concurrency/steps.ts";
import type { Hex } from "../../block.ts";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { parseSignature } from "../../decoding/signature-text.ts";
import { keccakOfText } from "../values/keccak.ts";
import { type AbiItem, maxEntryParameters, maxParameters, readItem } from "./abi-item.ts";
import { type AbiField, compileFields, fieldsText } from "./abi-type.ts";

export type { AbiItem } from "./abi-item.ts";

/**
 * An ABI indexed by on-chain keys: events by topic 0, functions and errors by selector. Several entries may share a key:
 * events that differ in indexed arguments, or a function of both a proxy and its implementation.
 */
export type AbiIndex = {
  events: ReadonlyMap<string, readonly AbiEntry[]>;
  functions: ReadonlyMap<string, readonly AbiEntry[]>;
  errors: ReadonlyMap<string, readonly AbiEntry[]>;
};

/** An item prepared for decoding. `indexed` marks the fields that are in topics. */
export type AbiEntry = { item: AbiItem; signature: string; key: Hex; fields: AbiField[]; indexed: boolean[] };

const maxBytes = 5 * 1024 * 1024;
const maxEntries = 2000;
/** Entries that share a key. ERC-20 and ERC-721 declare `Transfer` with two layouts; more than a few are not in use. */
const maxLayouts = 16;

/**
 * Compiles an untrusted ABI: JSON or its text, an artifact with an `abi` field, or a list of signatures such as
 * `event Paused(address account)`. The problem names the invalid entry.
 */
export function compileAbi(input: unknown): Read<{ abi: AbiIndex }> {
  return readOrProblem(() => ({ abi: runAtOnce(abiSteps(input)) }));
}

/** The same in steps; throws an AbiProblem. */
export function* abiSteps(input: unknown): Steps<AbiIndex> {
  const list = listOf(input);
  yield;
  const entries = yield* readEntries(list);
  rejectManyLayouts(entries);
  yield;
  return indexEntries(entries);
}

/** Each log is tried with every layout of its event, so that their number is limited. */
function rejectManyLayouts(entries: readonly AbiEntry[]): void {
  for (const sharing of Map.groupBy(entries, ({ item, key }) => `${item.type} ${key}`).values()) {
    const layouts = [...distinctLayouts(sharing)];
    const [first] = layouts;
    if (!first || layouts.length <= maxLayouts) continue;
    const problem = `has ${layouts.length} layouts that differ in indexed arguments, at most ${maxLayouts} are possible`;
    throw new AbiProblem(`The ${first.item.type} ${first.signature.slice(0, 200)} ${problem}.`);
  }
}

/** The ABI of a contract whose interface is unknown. */
export const emptyAbi: AbiIndex = { events: new Map(), functions: new Map(), errors: new Map() };

/** Indexes items that are known to be valid. */
export function abiOf(items: readonly AbiItem[]): AbiIndex {
  return indexEntries(items.map(entryOf));
}

/**
 * Merges two ABIs, such as those of a proxy and its implementation. Under a shared key, items of the first come first.
 * Contracts with the same two ABIs share the result, and with it what is decoded.
 */
export const mergeAbis = memoizePair(
  (first: AbiIndex, second: AbiIndex): AbiIndex => ({
    events: mergeEntries(first.events, second.events),
    functions: mergeEntries(first.functions, second.functions),
    errors: mergeEntries(first.errors, second.errors),
  }),
);

type Entries = AbiIndex[keyof AbiIndex];

/** A list that the other ABI adds nothing to stays the same list, which contracts with other ABIs may share. */
function mergeEntries(first: Entries, second: Entries): Entries {
  const merged = new Map(first);
  for (const [key, added] of second) {
    const entries = first.get(key) ?? [];
    const layouts = [...distinctLayouts([...entries, ...added])].slice(0, maxLayouts);
    if (entries.length === 0) merged.set(key, added);
    else if (layouts.length > entries.length) merged.set(key, layouts);
  }
  return merged;
}

function listOf(input: unknown): unknown[] {
  const json = typeof input === "string" ? input : toJson(input);
  if (Buffer.byteLength(json) > maxBytes) throw new AbiProblem("An ABI may have at most 5 MB.");
  const value = typeof input === "string" ? fromJson(input) : input;
  const list = isArtifact(value) ? value.abi : value;
  if (!Array.isArray(list))
    throw new AbiProblem("An ABI must be a list of entries, or an object with such a list under abi.");
  if (list.length > maxEntries) throw new AbiProblem(`An ABI may have at most ${maxEntries} entries.`);
  return list;
}

function isArtifact(value: unknown): value is { abi: unknown } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "abi");
}

function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    throw new AbiProblem("An ABI must be plain JSON.");
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AbiProblem("The ABI is not valid JSON.");
  }
}

function* readEntries(list: unknown[]): Steps<AbiEntry[]> {
  const entries: AbiEntry[] = [];
  let remaining = maxParameters;
  for (const [position, raw] of list.entries()) {
    try {
      const available = Math.min(remaining, maxEntryParameters);
      const budget = { parameters: available };
      const item = readItem(typeof raw === "string" ? parseSignature(raw, "function") : raw, budget);
      remaining -= available - budget.parameters;
      if (item) entries.push(entryOf(item));
    } catch (error) {
      if (!(error instanceof AbiProblem)) throw error;
      throw new AbiProblem(`ABI entry ${position}${describe(raw)}: ${error.message}`);
    }
    yield;
  }
  return entries;
}

function describe(raw: unknown): string {
  if (typeof raw === "string") return ` (${raw.slice(0, 80)})`;
  const name = typeof raw === "object" && raw !== null && "name" in raw ? raw.name : undefined;
  return typeof name === "string" && name !== "" ? ` (${name.slice(0, 80)})` : "";
}

/** Prepares an item for decoding; throws an AbiProblem when a type is unknown. */
export function entryOf(item: AbiItem): AbiEntry {
  const fields = compileFields(item.inputs);
  if (item.type === "function") compileFields(item.outputs);
  const signature = `${item.name}${fieldsText(fields)}`;
  const hash = keccakOfText(signature);
  const indexed = item.inputs.map((input) => "indexed" in input && input.indexed === true);
  return { item, signature, key: item.type === "event" ? hash : (hash.slice(0, 10) as Hex), fields, indexed };
}

function indexEntries(entries: readonly AbiEntry[]): AbiIndex {
  return {
    events: byKey(entries.filter(({ item }) => item.type === "event" && !item.anonymous)),
    functions: byKey(entries.filter(({ item }) => item.type === "function")),
    errors: byKey(entries.filter(({ item }) => item.type === "error")),
  };
}

/** Groups entries by key and keeps a limited number of each. */
function byKey(entries: readonly AbiEntry[]): ReadonlyMap<string, readonly AbiEntry[]> {
  const groups = Map.groupBy(distinctLayouts(entries), (entry): string => entry.key);
  return new Map([...groups].map(([key, group]) => [key, group.slice(0, maxLayouts)]));
}

/** Keeps the first of several events, functions or errors with the same layout. */
function distinctLayouts(entries: readonly AbiEntry[]): Iterable<AbiEntry> {
  const different = new Map<string, AbiEntry>();
  for (const entry of entries) {
    const layout = `${entry.signature} ${entry.indexed}`;
    if (!different.has(layout)) different.set(layout, entry);
  }
  return different.values();
}
