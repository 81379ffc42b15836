import { readFile, stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { loadConfig, readSecrets } from "../config.ts";
import { applyConfig } from "../domain/imports/configuration/apply.ts";
import { secretNamesIn } from "../domain/imports/configuration/secret-refs.ts";
import { InvalidRequest, type Issue } from "../errors/app-error.ts";
import { toIssues } from "../errors/issues.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { withApp } from "../main.ts";
import { ConfigApply, type ConfigPlan } from "../wire/imports/configuration.ts";
import { operatorOf } from "./acting-org.ts";
import { UsageError } from "./command.ts";

const maxBytes = 5 * 1024 * 1024;

/** Applies a JSON or YAML document from a file, with secrets from the environment. A dry run only prints the plan. */
export async function applyFile(args: string[], dryRun: boolean): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { org: { type: "string" }, prune: { type: "boolean" } },
  });
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new UsageError("expected one file.");
  const input = readDocument(await readText(path), values.prune);
  const plan = await withApp(loadConfig(), async (app) =>
    applyConfig(app, await operatorOf(app, values.org), input, dryRun),
  ).catch(explain);
  for (const line of linesOf(plan)) console.log(line);
  if (plan.errors.length > 0) throw new OperatorError(sentences(plan.errors));
}

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxBytes) throw new OperatorError(`${path} is larger than 5 MiB.`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Parses a document and reads the secrets that it references. */
export function readDocument(text: string, prune?: boolean): ConfigApply {
  const raw = parseText(text);
  const secrets = readSecrets(secretNamesIn(raw));
  const value = typeof raw === "object" && raw !== null ? { secrets, ...raw, ...(prune && { prune }) } : raw;
  const parsed = ConfigApply.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(sentences(toIssues(parsed.error, "body", value)));
}

/** JSON is also valid YAML. The number of aliases is limited against expansion attacks, and custom tags are ignored. */
function parseText(text: string): unknown {
  try {
    return parse(text, { schema: "core", maxAliasCount: 100, prettyErrors: true, logLevel: "error" });
  } catch (error) {
    throw new OperatorError(
      `The file is neither JSON nor YAML: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function explain(error: unknown): never {
  throw error instanceof InvalidRequest ? new OperatorError(sentences(error.issues)) : error;
}

function sentences(issues: readonly Issue[]): string {
  const lines = issues.map(({ loc, msg }) => `  ${loc.slice(1).join(".")}: ${msg}`);
  return ["the document cannot be applied.", ...lines].join("\n");
}

const signs = { create: "+", update: "~", delete: "-" };

function linesOf({ changes, summary, dry_run }: ConfigPlan): string[] {
  const done = dry_run ? "would be" : "were";
  return [
    ...changes.map(
      ({ action, kind, ref, fields }) =>
        `${signs[action]} ${kind} ${ref}${action === "update" ? ` (${fields.join(", ")})` : ""}`,
    ),
    `${summary.create} ${done} created, ${summary.update} changed, ${summary.delete} deleted; ${summary.none} unchanged.`,
  ];
}
