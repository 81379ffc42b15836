import type { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { namesIn, parseExpression } from "../../lib/expression/expression.ts";
import { argumentNames } from "../alerts/expression-names.ts";
import type { RuleSubject } from "../alerts/rule-subject.ts";

/** An expression on the arguments of a signature. */
export type Clause = {
  signature: string;
  expression?: string | undefined;
  parse: typeof canonicalEvent | typeof canonicalFunction;
};

/** The names of arguments that neither the signature nor a known ABI has. Positions such as `$0` always resolve. */
export function unnamedArguments(clauses: readonly Clause[], subject: RuleSubject | undefined): string[] {
  return clauses.flatMap(({ signature, expression, parse }) => {
    const read = parse(signature);
    const parsed = expression === undefined ? undefined : parseExpression(expression);
    const isEvm = subject?.chain.kind === "evm";
    if (!isEvm || !read.ok || !parsed?.ok || argumentNames(read, subject)) return [];
    return namesIn(parsed.expression).filter((name) => !name.startsWith("$"));
  });
}

export function unnamedReason(names: readonly string[]): string {
  return (
    `${[...new Set(names)].join(", ")} never resolved: no ABI of the contract is known, and the signature has no names. ` +
    "Write the names into the signature, use positions such as $0, or upload the ABI."
  );
}

/** An issue as a sentence, with the field that it is about. */
export function sentence({ loc, msg }: Issue): string {
  const path = loc.filter((part) => part !== "body").join(".");
  return `${path} ${msg}${msg.endsWith(".") ? "" : "."}`;
}
