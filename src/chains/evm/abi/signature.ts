import type { AbiEvent, AbiFunction, Hex } from "viem";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { parseSignature } from "../../decoding/signature-text.ts";
import { type AbiIndex, abiOf, entryOf } from "./abi.ts";
import { type AbiItem, readItem } from "./abi-item.ts";
import { wellKnownAbi } from "./well-known-events.ts";

/**
 * An event or a function by its canonical signature. `selector` is the topic 0 of an event and the first four bytes of
 * a call. `abi` decodes it, an event in every layout that its logs can have; `item` is the likeliest of them.
 */
export type CanonicalItem<Item extends AbiEvent | AbiFunction = AbiEvent | AbiFunction> = {
  signature: string;
  selector: Hex;
  item: Item;
  abi: AbiIndex;
};

/** Reads `Transfer(address,address,uint256)` or a declaration with names and `indexed`. */
export function canonicalEvent(text: string): Read<CanonicalItem<AbiEvent>> {
  return readOrProblem(() => {
    const item = readText(text, "event");
    if (item?.type !== "event") throw new AbiProblem("An event is wanted here.");
    if (item.anonymous) throw new AbiProblem("An anonymous event leaves no signature in its logs.");
    const { signature, key } = entryOf(item);
    const layouts = layoutsOf(item, key);
    return { signature, selector: key, item: layouts[0] ?? item, abi: abiOf(layouts) };
  });
}

/** Reads `transfer(address,uint256)` or a declaration with names, modifiers and what it returns. */
export function canonicalFunction(text: string): Read<CanonicalItem<AbiFunction>> {
  return readOrProblem(() => {
    const item = readText(text, "function");
    if (item?.type !== "function") throw new AbiProblem("A function is wanted here.");
    const { signature, key } = entryOf(item);
    return { signature, selector: key, item, abi: abiOf([item]) };
  });
}

function readText(text: string, kind: "event" | "function"): AbiItem | undefined {
  return readItem(parseSignature(text, kind), { parameters: 1000 });
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
