import { changeText, type Words } from "../words.ts";

/**
 * Says which parts of a polled state changed, and from what to what; undefined if the states have no parts or none in common. A part
 * that only the new state has was not read before.
 */
export function controlChangeText(before: unknown, after: unknown, words: Words): string | undefined {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (!was || !is || ![...was.keys()].some((name) => is.has(name))) return undefined;
  const changed = [...was].filter(([name, value]) => value !== (is.get(name) ?? none));
  const texts = changed
    .filter(([name]) => name !== "close" || !(closesAsOwner(was) && closesAsOwner(is)))
    .map(([name, value]) => `${titles.get(name)} changed: ${changeText(value, is.get(name) ?? none, words)}`);
  return texts.length > 0 ? texts.join("; ") : undefined;
}

const none = "none";

/** Each part with its value, as people read it; undefined for states that are one address. */
function partsOf(state: unknown): Map<string, string> | undefined {
  if (typeof state !== "string") return undefined;
  const entries = state.split(", ").map((part): [string, string] => {
    const [name = "", value = ""] = part.split(" ");
    return [name, value.replace(/%$/, " %")];
  });
  return entries.every(([name]) => titles.has(name)) ? new Map(entries) : undefined;
}

/** Unless someone else may, the owner closes a token account. */
function closesAsOwner(parts: ReadonlyMap<string, string>): boolean {
  return parts.get("close") === parts.get("owner");
}

/** What the parts of a state are, to be read before "changed". */
const titles: ReadonlyMap<string, string> = new Map([
  ["mint", "mint authority"],
  ["freeze", "freeze authority"],
  ["permanent-delegate", "permanent delegate"],
  ["fees", "transfer fee authority"],
  ["fee-withdrawal", "withdraw authority of withheld fees"],
  ["mint-close", "close authority of the mint"],
  ["interest", "interest rate authority"],
  ["hook", "transfer hook authority"],
  ["hook-program", "transfer hook"],
  ["scaling", "scaled amount authority"],
  ["pause", "pause authority"],
  ["fee-rate", "transfer fee"],
  ["interest-rate", "interest rate"],
  ["scale", "scale of amounts"],
  ["transfers", "token"],
  ["new-accounts", "state of new accounts"],
  ["metadata", "update authority of the metadata"],
  ["owner", "owner"],
  ["delegate", "delegate"],
  ["close", "close authority"],
  ["nonce", "authority of the durable nonce"],
]);
