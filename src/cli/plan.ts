import { parseArgs } from "node:util";
import { readNamedDocument } from "./configuration/file.ts";
import { printPlan } from "./configuration/print-plan.ts";
import { openConfiguration } from "./configuration/source.ts";

/** The exit code of a plan with changes, so that a script can tell them from none and from an error. */
const changesCode = 2;

/** Prints what `apply` would change, with old and new values. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { org: { type: "string" }, prune: { type: "boolean" } },
  });
  const document = await readNamedDocument(positionals, values.prune);
  const source = await openConfiguration(values.org);
  const plan = await source.apply(document, true);
  printPlan(plan);
  if (plan.changes.length > 0) process.exitCode = changesCode;
}
