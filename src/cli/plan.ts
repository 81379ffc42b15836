import { parseArgs } from "node:util";
import { OperatorError } from "../lib/operator-error.ts";
import { UsageError } from "./command.ts";
import { describeIssues, readDocument, readFileText } from "./configuration/file.ts";
import { formatPlan } from "./configuration/format-plan.ts";
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
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new UsageError("expected one file.");
  const document = readDocument(await readFileText(path), values.prune);
  const plan = await openConfiguration(values.org).apply(document, true);
  for (const line of formatPlan(plan)) console.log(line);
  if (plan.errors.length > 0) throw new OperatorError(describeIssues(plan.errors));
  if (plan.changes.length > 0) process.exitCode = changesCode;
}
