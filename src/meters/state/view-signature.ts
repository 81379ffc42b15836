import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { memoize } from "../../lib/memoize.ts";

/** A function that is read, by how it is written; undefined when that makes no sense. */
export const viewOf = memoize(10_000, (text) => {
  const read = parseViewSignature(text);
  return read.ok ? read : undefined;
});

/** Reads `function f(address a) view returns (uint256)` and, as other tools write it, `f(address)(uint256)`. */
export function parseViewSignature(text: string): ReturnType<typeof canonicalFunction> {
  const end = endOfParameters(text);
  const rest = text.slice(end).trimStart();
  return canonicalFunction(rest.startsWith("(") ? `${text.slice(0, end)} returns ${rest}` : text);
}

/** The index after the bracket that closes the parameters; tuples among them have brackets of their own. */
function endOfParameters(text: string): number {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === ")" && depth === 0) return index + 1;
  }
  return text.length;
}
