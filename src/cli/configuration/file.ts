import { readFile, stat } from "node:fs/promises";
import { parse } from "yaml";
import { readSecrets } from "../../config.ts";
import { secretNamesIn } from "../../domain/imports/configuration/secret-refs.ts";
import { toIssues } from "../../errors/issues.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { ConfigApply } from "../../wire/imports/configuration.ts";
import { UsageError } from "../command.ts";
import { describeIssues } from "./describe-issues.ts";

const maxBytes = 5 * 1024 * 1024;

/** Reads the document in the only file that a command line names. */
export async function readNamedDocument(positionals: string[], prune?: boolean): Promise<ConfigApply> {
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw new UsageError("expected one file.");
  return readDocument(await readFileText(path), prune);
}

async function readFileText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxBytes) throw new OperatorError(`${path} is larger than 5 MiB.`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Parses a JSON or YAML document and reads the secrets that it references from the environment. */
export function readDocument(text: string, prune?: boolean): ConfigApply {
  const raw = parseText(text);
  const secrets = readSecrets(secretNamesIn(raw));
  const value = typeof raw === "object" && raw !== null ? { secrets, ...raw, ...(prune && { prune }) } : raw;
  const parsed = ConfigApply.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(describeIssues(toIssues(parsed.error, "body", value)));
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
