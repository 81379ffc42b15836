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

export type Carried = { expression: string | undefined; warnings: Warning[]; isLost: boolean };

/** As long as an expression of ours may be. What is longer is not even looked at: that takes time. */
const maxCharacters = 2_048;

const nothing: Carried = { expression: undefined, warnings: [], isLost: false };

/**
 * An expression of another product in our language. What cannot be said here is lost, and who asks must not then count
 * more than was meant.
 */
export function carryExpression(source: string | null, of: "transaction" | "arguments"): Carried {
  if (source === null) return nothing;
  if (source.length > maxCharacters)
    return lost(source, `An expression has at most ${maxCharacters} characters.`);
  const plain = eachPart(source, (part) => (of === "transaction" ? renameFields(part) : part));
  const mended = eachPart(plain, (part) => part.replace(/([^=!<>])=([^=])/g, "$1==$2"));
  const parsed = parseExpression(mended);
  if (!parsed.ok) return lost(source, parsed.problem.message);
  if (mended.length > maxCharacters)
    return lost(source, `An expression has at most ${maxCharacters} characters.`);
  if (mended === plain) return { ...nothing, expression: mended };
  const message = `A single = was read as == in ${JSON.stringify(source.slice(0, 200))}.`;
  return { expression: mended, warnings: [{ code: "expression_changed", message }], isLost: false };
}

function lost(source: string, why: string): Carried {
  const message = `The expression ${JSON.stringify(source.slice(0, 200))} cannot be understood: ${why}`;
  return { expression: undefined, warnings: [{ code: "expression_unparsed", message }], isLost: true };
}

function renameFields(part: string): string {
  return part.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word) => {
    const name = word.toLowerCase();
    return Object.hasOwn(transactionFields, name) ? String(transactionFields[name]) : word;
  });
}

/** Changes what is outside of quotes. */
function eachPart(source: string, change: (part: string) => string): string {
  return source
    .split(/("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}
