import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, type Pair } from "yaml";

/** The parser searches all anchors and aliases for each alias. */
const maxReferences = 2_000;
/** What merge keys copy, in values. A map that merges others is copied with what it merges. */
const maxValues = 1_000_000;

/** Says why a document takes too long to read because of its anchors, aliases and merge keys, if it does. */
export function findExpansion({ contents }: Document): string | undefined {
  const state: State = { sizes: new Map(), references: 0 };
  const size = isNode(contents) ? sizeOf(contents, state) : 0;
  if (state.references > maxReferences) return `It has more than ${maxReferences} anchors and aliases`;
  return size > maxValues ? "Its merge keys copy too much" : undefined;
}

type State = { sizes: Map<string, number>; references: number };

/** The number of values of a node after its merges. Aliases come after their anchors. */
function sizeOf(node: unknown, state: State): number {
  if (isPair(node))
    return (
      sizeOf(node.key, state) + (isMerge(node) ? mergedSize(node.value, state) : sizeOf(node.value, state))
    );
  if (isAlias(node)) {
    state.references += 1;
    return 1;
  }
  const size = isMap(node) || isSeq(node) ? sumOf(node.items, (item) => sizeOf(item, state)) : 1;
  if (isNode(node)) remember(node, size, state);
  return size;
}

function mergedSize(value: unknown, state: State): number {
  if (isSeq(value)) return sumOf(value.items, (item) => mergedSize(item, state));
  if (!isAlias(value)) return sizeOf(value, state);
  state.references += 1;
  return state.sizes.get(value.source) ?? 1;
}

function remember(node: Node, size: number, state: State): void {
  if (!("anchor" in node) || typeof node.anchor !== "string") return;
  state.references += 1;
  state.sizes.set(node.anchor, size);
}

function isMerge({ key }: Pair): boolean {
  return (
    isScalar(key) && (key.value === "<<" || (typeof key.value === "symbol" && key.value.description === "<<"))
  );
}

function sumOf<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + measure(item), 1);
}
