import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { readNamedDocument } from "./configuration/file.ts";
import { printPlan } from "./configuration/print-plan.ts";
import { openConfiguration } from "./configuration/source.ts";

/** Applies the whole document or nothing. On a terminal it shows the plan and asks first. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { org: { type: "string" }, prune: { type: "boolean" }, yes: { type: "boolean" } },
  });
  const document = await readNamedDocument(positionals, values.prune);
  const source = await openConfiguration(values.org);
  if (!values.yes && process.stdin.isTTY) {
    const plan = await source.apply(document, true);
    printPlan(plan);
    if (plan.changes.length === 0 || !(await isConfirmed())) return;
  }
  printPlan(await source.apply(document, false));
}

async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Apply these changes? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
