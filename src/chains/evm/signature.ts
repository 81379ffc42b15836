import type { AbiEvent, AbiFunction, Hex } from "viem";
import { type AbiIndex, abiOf, entriesOf } from "./abi.ts";
import { type AbiItem, readItem } from "./abi-item.ts";
import { AbiProblem, type Read, readOrProblem } from "./abi-problem.ts";
import { parseSignature } from "./signature-text.ts";
import { wellKnownAbi } from "./well-known-events.ts";

/** An event by its canonical signature. `abi` decodes its logs in every layout they can have; `item` is the likeliest. */
export type CanonicalEvent = { signature: string; topic0: Hex; item: AbiEvent; abi: AbiIndex };

/** A function by its canonical signature. `abi` decodes its calls. */
export type CanonicalFunction = { signature: string; selector: Hex; item: AbiFunction; abi: AbiIndex };

/** Reads `Transfer(address,address,uint256)` or a declaration with names and `indexed`. */
export function canonicalEvent(text: string): Read<CanonicalEvent> {
  return readOrProblem(() => {
    const item = readText(text, "event");
    if (item?.type !== "event") throw new AbiProblem("An event is wanted here.");
    if (item.anonymous) throw new AbiProblem("An anonymous event leaves no signature in its logs.");
    const { signature, key } = soleEntry(item);
    const layouts = layoutsOf(item, key);
    return { signature, topic0: key, item: layouts[0] ?? item, abi: abiOf(layouts) };
  });
}

/** Reads `transfer(address,uint256)` or a declaration with names, modifiers and what it returns. */
export function canonicalFunction(text: string): Read<CanonicalFunction> {
  return readOrProblem(() => {
    const item = readText(text, "function");
    if (item?.type !== "function") throw new AbiProblem("A function is wanted here.");
    const { signature, key } = soleEntry(item);
    return { signature, selector: key, item, abi: abiOf([item]) };
  });
}

function readText(text: string, kind: "event" | "function"): AbiItem | undefined {
  return readItem(parseSignature(text, kind), { parameters: 1000 });
}

function soleEntry(item: AbiItem): { signature: string; key: Hex } {
  const [entry] = entriesOf(abiOf([item]));
  if (!entry) throw new AbiProblem("The signature has nothing to decode.");
  return entry;
}

/**
 * The layouts a log may have. Without `indexed` in the text, logs do not tell which arguments are in the topics, except
 * when none or all of them are; for everything in between, only the layouts of well-known events are trusted.
 */
function layoutsOf(item: AbiEvent, topic0: Hex): AbiEvent[] {
  if (item.inputs.some((input) => input.indexed)) return [item];
  const known = (wellKnownAbi.events.get(topic0) ?? []).flatMap((entry) =>
    entry.item.type === "event" ? [withNamesOf(item, entry.item)] : [],
  );
  const allIndexed = { ...item, inputs: item.inputs.map((input) => ({ ...input, indexed: true })) };
  return [...known, item, ...(item.inputs.length <= 3 ? [allIndexed] : [])];
}

/** The names someone wrote down are the ones their expressions use. */
function withNamesOf(named: AbiEvent, layout: AbiEvent): AbiEvent {
  const inputs = layout.inputs.map((input, position) => {
    const name = named.inputs[position]?.name || input.name || "";
    return { ...input, name };
  });
  return { ...layout, inputs };
}
