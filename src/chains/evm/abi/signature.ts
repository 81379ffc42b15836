import type { Hex } from "../../block.ts";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { parseSignature } from "../../decoding/signature-text.ts";
import { type AbiIndex, abiOf, entryOf } from "./abi.ts";
import type { AbiEvent, AbiFunction } from "./abi-item.ts";
import { type AbiItem, readItem } from "./abi-item.ts";
import { wellKnownAbi } from "./well-known-events.ts";

/**
 * An event or function with its canonical signature. `selector` is topic 0 of an event, or the first four bytes of a call.
 * `abi` decodes it; for an event it contains every possible layout of its logs, of which `item` is the most likely.
 */
export type CanonicalItem<Item extends AbiEvent | AbiFunction = AbiEvent | AbiFunction> = {
  signature: string;
  selector: Hex;
  item: Item;
  abi: AbiIndex;
};

/** Parses `Transfer(address,address,uint256)`, or a declaration with names and `indexed`. */
export function canonicalEvent(text: string): Read<CanonicalItem<AbiEvent>> {
  return readOrProblem(() => {
    const item = readText(text, "event");
    if (item?.type !== "event") throw new AbiProblem("An event signature is expected.");
    if (item.anonymous)
      throw new AbiProblem("An anonymous event cannot be matched, because its logs contain no signature.");
    const { signature, key } = entryOf(item);
    const layouts = layoutsOf(item, key);
    return { signature, selector: key, item: layouts[0] ?? item, abi: abiOf(layouts) };
  });
}

/** Parses `transfer(address,uint256)`, or a declaration with names, modifiers and return types. */
export function canonicalFunction(text: string): Read<CanonicalItem<AbiFunction>> {
  return readOrProblem(() => {
    const item = readText(text, "function");
    if (item?.type !== "function") throw new AbiProblem("A function signature is expected.");
    const { signature, key } = entryOf(item);
    return { signature, selector: key, item, abi: abiOf([item]) };
  });
}

function readText(text: string, kind: "event" | "function"): AbiItem | undefined {
  return readItem(parseSignature(text, kind), { parameters: 1000 });
}

/**
 * The possible layouts of a log. Without `indexed` in the text, a log does not show which arguments are in the topics, unless
 * none or all of them are. For other layouts only well-known events are used.
 */
function layoutsOf(item: AbiEvent, topic0: Hex): AbiEvent[] {
  if (item.inputs.some((input) => input.indexed)) return [item];
  const candidates = (wellKnownAbi().events.get(topic0) ?? []).flatMap((entry) =>
    entry.item.type === "event" ? [withNamesOf(item, entry.item)] : [],
  );
  const allIndexed = { ...item, inputs: item.inputs.map((input) => ({ ...input, indexed: true })) };
  return [...candidates, item, ...(item.inputs.length <= 3 ? [allIndexed] : [])];
}

/** Expressions of a rule use the parameter names of the signature in that rule. */
function withNamesOf(named: AbiEvent, layout: AbiEvent): AbiEvent {
  const inputs = layout.inputs.map((input, position) => {
    const name = named.inputs[position]?.name || input.name || "";
    return { ...input, name };
  });
  return { ...layout, inputs };
}
