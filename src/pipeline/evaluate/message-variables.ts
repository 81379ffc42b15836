import { toPlain } from "../../lib/plain-json.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { Evaluation } from "./evaluation.ts";

const values: Record<string, (evaluation: Evaluation) => string> = {
  "rule.name": ({ rule }) => rule.name,
  severity: ({ rule }) => rule.severity,
  "contract.label": ({ rule }) => rule.target.contract.label,
  "contract.address": ({ rule }) => rule.target.contract.subject.address,
  "chain.name": ({ rule }) => rule.target.contract.subject.chain.name,
  value: ({ windowResult }) => String(windowResult.value ?? "unknown"),
  threshold: ({ rule }) => String(rule.condition.threshold ?? "none"),
  unit: ({ rule }) => rule.target.meter.unit,
  clause: ({ windowResult }) => windowResult.clause,
  group: ({ rule }) => rule.group ?? "",
  "tx.hash": ({ cause }) => cause?.tx_hash ?? "",
  "block.number": ({ cause }) => (cause ? String(cause.height) : ""),
};

/** Former names, which existing templates use. */
const synonyms: Record<string, string> = {
  rule: "rule.name",
  contract: "contract.label",
  address: "contract.address",
  chain: "chain.name",
  tx_hash: "tx.hash",
};

/** The variables of a message template, besides the arguments of the call or event, such as `args.to`. */
export const messageVariables: readonly string[] = Object.keys(values);

const variable = /\{\{\s*([\w.$]+)\s*\}\}/g;

/** Returns the names of the variables in a template, with former names replaced. */
export function variablesIn(template: string): string[] {
  return [...template.matchAll(variable)].map(([, name = ""]) => currentName(name));
}

/** Replaces names in double braces; an unknown name is left as it is, which makes the mistake visible. */
export function fillTemplate(template: string, evaluation: Evaluation): string {
  return template.replace(variable, (whole, given: string) => {
    const name = currentName(given);
    if (name.startsWith("args.")) return argument(evaluation, name.slice("args.".length));
    return Object.hasOwn(values, name) ? (values[name]?.(evaluation) ?? whole) : whole;
  });
}

/** Replaces what only a reading has by placeholders such as `‹to›`, where the reading has none. */
export function namePlaceholders(template: string, reading: TimedReading | undefined): string {
  const { args } = (reading?.evidence?.decoded ?? {}) as { args?: object };
  return template.replace(variable, (whole, given: string) => {
    const name = currentName(given);
    if (name.startsWith("args.")) {
      const argument = name.slice("args.".length);
      return args && Object.hasOwn(args, argument) ? whole : `‹${argument}›`;
    }
    return reading ? whole : (placeholders[name] ?? whole);
  });
}

const placeholders: Record<string, string> = { "tx.hash": "‹transaction›", "block.number": "‹block›" };

function currentName(name: string): string {
  return Object.hasOwn(synonyms, name) ? (synonyms[name] ?? name) : name;
}

/** An argument that the call or event does not have is empty. */
function argument({ cause }: Evaluation, name: string): string {
  const { args } = (cause?.evidence?.decoded ?? {}) as { args?: Record<string, unknown> };
  const value = args && Object.hasOwn(args, name) ? toPlain(args[name]) : "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
