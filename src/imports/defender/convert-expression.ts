import { parseExpression } from "../../lib/expression/expression.ts";
import type { Warning } from "./monitor.ts";

/** What the fields of a transaction are called there and here. */
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

/** As long as an expression of ours may be. What is longer is not even looked at: that takes time. */
const maxCharacters = 2_048;

const noExpression: ConvertedExpression = { expression: undefined, warnings: [], isUnsupported: false };

/**
 * An expression of another product in our language. What cannot be said here is lost, and who asks must not then count
 * more than was meant.
 */
export function convertExpression(
  source: string | null,
  scope: "transaction" | "arguments",
): ConvertedExpression {
  if (source === null) return noExpression;
  if (source.length > maxCharacters)
    return unsupported(source, `An expression has at most ${maxCharacters} characters.`);
  const renamed = mapUnquoted(source, (part) => (scope === "transaction" ? renameFields(part) : part));
  const converted = mapUnquoted(renamed, (part) => part.replace(/([^=!<>])=([^=])/g, "$1==$2"));
  const parsed = parseExpression(converted);
  if (!parsed.ok) return unsupported(source, parsed.problem.message);
  if (converted.length > maxCharacters)
    return unsupported(source, `An expression has at most ${maxCharacters} characters.`);
  if (converted === renamed) return { ...noExpression, expression: converted };
  const message = `A single = was read as == in ${JSON.stringify(source.slice(0, 200))}.`;
  return { expression: converted, warnings: [{ code: "expression_changed", message }], isUnsupported: false };
}

function unsupported(source: string, why: string): ConvertedExpression {
  const message = `The expression ${JSON.stringify(source.slice(0, 200))} cannot be understood: ${why}`;
  return { expression: undefined, warnings: [{ code: "expression_unparsed", message }], isUnsupported: true };
}

function renameFields(part: string): string {
  return part.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word) => {
    const name = word.toLowerCase();
    return Object.hasOwn(transactionFields, name) ? String(transactionFields[name]) : word;
  });
}

/** Changes what is outside of quotes. */
function mapUnquoted(source: string, change: (part: string) => string): string {
  return source
    .split(/("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}
