import { OperatorError } from "../../lib/operator-error.ts";
import type { ConfigPlan } from "../../wire/imports/configuration.ts";
import { describeIssues } from "./describe-issues.ts";

/** Prints a plan. A document that cannot be applied is an error. */
export function printPlan(plan: ConfigPlan): void {
  for (const line of formatPlan(plan)) console.log(line);
  if (plan.errors.length > 0) throw new OperatorError(describeIssues(plan.errors));
}

const signs = { create: "+", update: "~", delete: "-" };

/** Formats a plan for a person: each change with old and new values, warnings, and a summary. */
function formatPlan({ changes, summary, warnings, dry_run }: ConfigPlan): string[] {
  const done = dry_run ? "would be" : "were";
  return [
    ...changes.flatMap(formatChange),
    ...(warnings ?? []).map(({ loc, msg }) => `! ${loc.slice(1).join(".")}: ${msg}`),
    changes.length === 0
      ? `Nothing ${dry_run ? "would be" : "was"} changed; ${summary.none} unchanged.`
      : `${summary.create} ${done} created, ${summary.update} changed, ${summary.delete} deleted; ${summary.none} unchanged.`,
  ];
}

function formatChange({ action, kind, ref, fields, values }: ConfigPlan["changes"][number]): string[] {
  const line = `${signs[action]} ${kind} ${ref}`;
  if (action !== "update") return [line];
  const shown = new Map(values.map((value) => [value.field, value]));
  const details = fields.map((field) => {
    const value = shown.get(field);
    return `    ${field}: ${value ? `${JSON.stringify(value.before)} -> ${JSON.stringify(value.after)}` : "changed"}`;
  });
  return [line, ...details];
}
