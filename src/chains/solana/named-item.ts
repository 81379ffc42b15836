import type { Decoded } from "../activity.ts";
import { readOrProblem } from "../decoding/abi-problem.ts";
import { withParameterNames } from "../decoding/named-arguments.ts";
import { parseSignature } from "../decoding/signature-text.ts";
import type { NamedItem } from "../family.ts";
import { snakeCase } from "./idl/discriminator.ts";

/** Recognises instructions and events by name alone; the parameter types of the signature are not compared. */
export function compileSolanaItem(
  signature: string,
  kind: "function" | "event",
): NamedItem<{ decoded: Decoded | undefined }> | undefined {
  const named = readOrProblem(() => parseSignature(signature, kind));
  if (!named.ok) return undefined;
  const hasName = (name: string) => name === named.name || snakeCase(name) === snakeCase(named.name);
  return {
    match: ({ decoded }) => (decoded && hasName(decoded.name) ? { decoded, scope: decoded.args } : undefined),
    // The signature of a decoded instruction or event is its name.
    matchStored: (decoded) =>
      hasName(decoded.signature) ? withParameterNames(named.inputs, decoded.args) : undefined,
  };
}
