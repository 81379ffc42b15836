import { parseExpression } from "../../lib/expression/expression.ts";
import type { Warning } from "./monitor.ts";

/** Names of transaction fields in Defender and in this service. */
const transactionFields: Record<string, string> = {
  gasprice: "gas_price",
  gaslimit: "gas_limit",
  gas: "gas_limit",
  gasused: "gas_used",
  transactionhash: "hash",
  transactionindex: "transaction_index",
};

export type ConvertedExpression = {
  expression: string | undefined;
  warnings: Warning[];
  isUnsupported: boolean;
};

/** The maximum length of an expression. Longer ones are not parsed, because parsing takes time. */
const maxCharacters = 2_048;

const noExpression: ConvertedExpression = { expression: undefined, warnings: [], isUnsupported: false };

/**
 * Converts an expression of Defender or OpenZeppelin Monitor. If it is unsupported, the caller must not match more than
 * the original did.
 */
export function convertExpression(
  source: string | null,
  scope: "transaction" | "arguments",
): ConvertedExpression {
  if (source === null) return noExpression;
  if (source.length > maxCharacters)
    return unsupported(source, `An expression may have at most ${maxCharacters} characters.`);
  const renamed = mapUnquoted(source, (part) => (scope === "transaction" ? renameFields(part) : part));
  const converted = mapUnquoted(renamed, (part) => part.replace(/([^=!<>])=([^=])/g, "$1==$2"));
  const parsed = parseExpression(converted);
  if (!parsed.ok) return unsupported(source, parsed.problem.message);
  if (converted.length > maxCharacters)
    return unsupported(source, `An expression may have at most ${maxCharacters} characters.`);
  if (converted === renamed) return { ...noExpression, expression: converted };
  const message = `A single = was converted to == in ${JSON.stringify(source.slice(0, 200))}.`;
  return { expression: converted, warnings: [{ code: "expression_changed", message }], isUnsupported: false };
}

function unsupported(source: string, why: string): ConvertedExpression {
  const message = `The expression ${JSON.stringify(source.slice(0, 200))} could not be converted: ${why}`;
  return { expression: undefined, warnings: [{ code: "expression_unparsed", message }], isUnsupported: true };
}

function renameFields(part: string): string {
  return part.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word) => {
    const name = word.toLowerCase();
    return Object.hasOwn(transactionFields, name) ? String(transactionFields[name]) : word;
  });
}

/** Applies a change to the text outside of quotes. */
function mapUnquoted(source: string, change: (part: string) => string): string {
  return source
    .split(/("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}
