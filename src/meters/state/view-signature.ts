import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { memoize } from "../../lib/caching/memoize.ts";

/** Returns the parsed view function; undefined if the signature is invalid. */
export const viewOf = memoize(10_000, (text) => {
  const read = parseViewSignature(text);
  return read.ok ? read : undefined;
});

/** Parses `function f(address a) view returns (uint256)` and the short form `f(address)(uint256)`. */
export function parseViewSignature(text: string): ReturnType<typeof canonicalFunction> {
  const end = endOfParameters(text);
  const rest = text.slice(end).trimStart();
  return canonicalFunction(rest.startsWith("(") ? `${text.slice(0, end)} returns ${rest}` : text);
}

/** Returns the index after the closing bracket of the parameters, which may contain tuples. */
function endOfParameters(text: string): number {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === ")" && depth === 0) return index + 1;
  }
  return text.length;
}
