import type { Decoded } from "../../chains/activity.ts";
import { zeroAddress } from "../../chains/evm/values/address.ts";
import type { TimedReading } from "../meter.ts";
import { changeText, decodedOf, decodedText, senderText, type Words } from "../words.ts";
import { proxyParts } from "./proxy-state.ts";

type Evidence = Readonly<Record<string, unknown>>;

/** Says how a proxy changed: which code or module, from what to what, and by whom. */
export function proxyChangeText(reading: TimedReading | undefined, words: Words): string {
  const evidence = reading?.evidence ?? {};
  const decoded = decodedOf(reading);
  const by = senderText(reading, words);
  if (decoded?.name === "EnabledModule") return `module enabled${by}: ${words.address(decoded.args.$0)}`;
  if (decoded?.name === "DisabledModule") return `module disabled${by}: ${words.address(decoded.args.$0)}`;
  if (decoded?.name === "DiamondCut")
    return `facets changed${by}: ${cutText(decoded, evidence.previous_facets, words)}`;
  const changes = proxyParts
    .filter((part) => `previous_${part}` in evidence)
    .map((part) => partText(part, evidence[`previous_${part}`], evidence[part], words));
  if (evidence.kind === "eip7702" && changes.length > 0)
    return `delegation of the wallet changed: ${delegationText(evidence, words)}`;
  if (changes.length > 0) return `upgraded${by}: ${changes.join(", ")}`;
  return decoded
    ? `upgraded${by}: ${decodedText(decoded, words)}`
    : `implementation is ${words.address(evidence.implementation)}`;
}

function delegationText({ implementation, previous_implementation }: Evidence, words: Words): string {
  const name = (address: unknown) => (address === zeroAddress ? "no code" : words.address(address));
  return `runs ${name(implementation)}, before ${name(previous_implementation)}`;
}

function partText(part: string, before: unknown, after: unknown, words: Words): string {
  if (part !== "facets") return `${part} ${changeText(before, after, words)}`;
  const [old, current] = [listOf(before), listOf(after)];
  const added = current
    .filter((facet) => !old.includes(facet))
    .map((facet) => `added ${words.address(facet)}`);
  const gone = old
    .filter((facet) => !current.includes(facet))
    .map((facet) => `removed ${words.address(facet)}`);
  return `facets ${[...gone, ...added].join(", ")}`;
}

/** Facets are stored as a list in one text. */
function listOf(facets: unknown): string[] {
  return typeof facets === "string" ? facets.split(/[,\s]+/).filter(Boolean) : [];
}

const actions = ["added", "replaced", "removed"];
const shownCuts = 5;

/** Each cut of a diamond: what was done with how many functions, the facet that has them now and the one that had them. */
function cutText({ args: { $0: cuts } }: Decoded, previousFacets: unknown, words: Words): string {
  const listedCuts = Array.isArray(cuts) ? cuts : [];
  const before = listOf(previousFacets);
  const texts = listedCuts
    .slice(0, shownCuts)
    .map((cut: { [field: string]: unknown }) => oneCutText(cut, before, words));
  const text = [...texts, ...(listedCuts.length > shownCuts ? ["…"] : [])].join(", ") || "nothing";
  // The events of a diamond do not say which facet a function was in.
  const hasOld = before.length > 1 && listedCuts.some(({ action }) => Number(action) !== 0);
  return hasOld ? `${text}; facets before: ${listText(before, words)}` : text;
}

function oneCutText(
  { facetAddress, action, functionSelectors }: { [field: string]: unknown },
  before: readonly string[],
  words: Words,
): string {
  const count = Array.isArray(functionSelectors) ? functionSelectors.length : 0;
  const done = actions[Number(action)] ?? "changed";
  const [only] = before.length === 1 ? before : [];
  const old = only ? ` from ${words.address(only)}` : "";
  const current = words.address(facetAddress);
  const where = done === "added" ? ` from ${current}` : done === "removed" ? old : `${old} by ${current}`;
  return `${count} ${count === 1 ? "function" : "functions"} ${done}${where}`;
}

const shownFacets = 5;

function listText(facets: readonly string[], words: Words): string {
  const shown = facets.slice(0, shownFacets).map((facet) => words.address(facet));
  const more = facets.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
