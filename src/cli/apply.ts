import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { OperatorError } from "../lib/operator-error.ts";
import type { ConfigPlan } from "../wire/imports/configuration.ts";
import { UsageError } from "./command.ts";
import { describeIssues, readDocument, readFileText } from "./configuration/file.ts";
import { formatPlan } from "./configuration/format-plan.ts";
import { openConfiguration } from "./configuration/source.ts";

/** Applies the whole document or nothing. On a terminal it shows the plan and asks first. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { org: { type: "string" }, prune: { type: "boolean" }, yes: { type: "boolean" } },
  });
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new UsageError("expected one file.");
  const document = readDocument(await readFileText(path), values.prune);
  const source = openConfiguration(values.org);
  if (!values.yes && process.stdin.isTTY) {
    const plan = await source.apply(document, true);
    show(plan);
    if (plan.changes.length === 0 || !(await isConfirmed())) return;
  }
  show(await source.apply(document, false));
}

function show(plan: ConfigPlan): void {
  for (const line of formatPlan(plan)) console.log(line);
  if (plan.errors.length > 0) throw new OperatorError(describeIssues(plan.errors));
}

async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Apply these changes? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
