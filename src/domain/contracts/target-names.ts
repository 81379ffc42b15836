import { type CanonicalItem, canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { parseExpression } from "../../lib/expression/expression.ts";
import { parseViewSignature } from "../../meters/state/view-signature.ts";
import { argumentNameProblem, type NamingContext, signatureProblem } from "../alerts/expression-names.ts";

type Loc = (string | number)[];

/**
 * Finds names in the config of a target that do not exist on the contract: its events and functions, as far as its interface is
 * known, and the arguments in a filter. The config must be valid.
 */
export function targetNameIssues(
  config: Record<string, unknown>,
  context: NamingContext | undefined,
  loc: Loc,
): Issue[] {
  return signatureFields.flatMap(({ field, kind, parse }) => {
    const text = config[field];
    const read = typeof text === "string" ? parse(text) : undefined;
    if (!read?.ok) return [];
    const problem = signatureProblem(read, kind, context);
    const at = (name: string, msg: string) => ({ loc: [...loc, "config", name], msg, type: "value_error" });
    if (problem) return [at(field, problem)];
    return hasOwnNames(String(text), read, context) ? argumentIssues(config, read, context, at) : [];
  });
}

/** Arguments without names in the signature get those of an ABI, which may be found later. */
function hasOwnNames(
  text: string,
  { signature, selector }: CanonicalItem,
  context: NamingContext | undefined,
) {
  const isKnown = context?.abi.events.has(selector) || context?.abi.functions.has(selector);
  return isKnown || text.replace(/\s/g, "") !== signature;
}

/** Returns whether a config has names to check. */
export function hasNames(config: Record<string, unknown>): boolean {
  return signatureFields.some(({ field }) => config[field] !== undefined);
}

const signatureFields = [
  { field: "event_signature", kind: "event", parse: canonicalEvent },
  { field: "function_signature", kind: "function", parse: canonicalFunction },
  { field: "signature", kind: "function", parse: parseViewSignature },
] as const;

/** Fields with the names of arguments: an expression on them, or a path to one of them. */
function argumentIssues(
  config: Record<string, unknown>,
  item: CanonicalItem,
  context: NamingContext | undefined,
  at: (name: string, msg: string) => Issue,
): Issue[] {
  return ["filter", "arg"].flatMap((field) => {
    const source = config[field];
    const parsed = typeof source === "string" ? parseExpression(source) : undefined;
    const problem = parsed?.ok ? argumentNameProblem(parsed.expression, item, context) : undefined;
    return problem ? [at(field, problem)] : [];
  });
}
