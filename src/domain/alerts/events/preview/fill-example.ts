import { toPlain } from "../../../../lib/plain-json.ts";
import type { TimedReading } from "../../../../meters/meter.ts";
import { variablesIn, type WatchedRule } from "../../../../pipeline/index.ts";

/** Fills the template of a message. What only an alert can have, and the reading has not, is a placeholder such as `‹to›`. */
export function fillExample(
  template: string,
  rule: WatchedRule,
  value: number | null,
  reading: TimedReading | undefined,
): string {
  return template.replace(/\{\{\s*[\w.$]+\s*\}\}/g, (whole) => {
    const [name = ""] = variablesIn(whole);
    return name.startsWith("args.")
      ? argument(name.slice("args.".length), reading)
      : (valuesOf(rule, value, reading)[name] ?? whole);
  });
}

function valuesOf(
  rule: WatchedRule,
  value: number | null,
  reading: TimedReading | undefined,
): Record<string, string> {
  const { contract, meter } = rule.target;
  const { threshold } = rule.condition;
  return {
    "rule.name": rule.name,
    severity: rule.severity,
    "contract.label": contract.label,
    "contract.address": contract.subject.address,
    "chain.name": contract.subject.chain.name,
    value: String(value ?? "unknown"),
    threshold: String(threshold ?? "none"),
    unit: meter.unit,
    clause: `${value ?? "unknown"} ${meter.unit}`,
    group: rule.group_by ? "‹group›" : "",
    "tx.hash": reading?.tx_hash ?? "‹transaction›",
    "block.number": reading ? String(reading.height) : "‹block›",
  };
}

function argument(name: string, reading: TimedReading | undefined): string {
  const { args } = (reading?.evidence?.decoded ?? {}) as { args?: Record<string, unknown> };
  const value = args && Object.hasOwn(args, name) ? toPlain(args[name]) : `‹${name}›`;
  return typeof value === "string" ? value : JSON.stringify(value);
}
