#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { OperatorError } from "../lib/operator-error.ts";
import { compileCacheFolder } from "../lib/process/installation.ts";
import { showSourcePositions } from "../lib/process/source-positions.ts";
import { type Command, UsageError } from "./command.ts";

const orgOption = "[--org <org id or an admin's e-mail>]";

const commands: Command[] = [
  {
    name: "serve",
    usage: "",
    summary: "Start the service; Ctrl-C stops it",
    load: () => import("./serve.ts"),
  },
  {
    name: "migrate",
    usage: "",
    summary: "Bring the database to the newest schema",
    load: () => import("./migrate.ts"),
  },
  {
    name: "doctor",
    usage: "",
    summary: "Print the settings with secrets masked, and check everything that is configured",
    load: () => import("./doctor.ts"),
  },
  {
    name: "backup",
    usage: "<new folder>",
    summary: "Copy the embedded database and the secrets key, also while the service runs",
    load: () => import("./backup.ts"),
  },
  {
    name: "restore",
    usage: "<folder of a backup>",
    summary: "Copy a backup into an empty DATA_DIR",
    load: () => import("./restore.ts"),
  },
  {
    name: "secrets",
    usage: "rotate [--keep-previous]",
    summary: "Seal all secrets with NEW_SECRETS_KEY while the service runs",
    load: () => import("./secrets.ts"),
  },
  {
    name: "staff",
    usage: "create <e-mail> [--name <name>] [--password-stdin]",
    summary: "Create a platform staff account",
    load: () => import("./staff.ts"),
  },
  {
    name: "org",
    usage: "tier <org id or an admin's e-mail> <free|pro|team|enterprise>",
    summary: "Set an organisation's tier",
    load: () => import("./org.ts"),
  },
  {
    name: "chain",
    usage: "skip <chain> --to <block>",
    summary: "Continue a chain after blocks that no node has any more",
    load: () => import("./chain.ts"),
  },
  {
    name: "export",
    usage: `${orgOption} [--json]`,
    summary: "Print an organisation's configuration as YAML",
    load: () => import("./export.ts"),
  },
  {
    name: "plan",
    usage: `<file> ${orgOption} [--prune]`,
    summary: "Print what applying a configuration would change; exits with 2 if anything would",
    load: () => import("./plan.ts"),
  },
  {
    name: "apply",
    usage: `<file> ${orgOption} [--prune] [--yes]`,
    summary: "Apply a configuration to an organisation",
    load: () => import("./apply.ts"),
  },
  {
    name: "contracts",
    usage: "",
    summary: "List the contracts of the organisation of TOCSIN_API_KEY",
    load: () => import("./contracts.ts"),
  },
  {
    name: "events",
    usage: "tail",
    summary: "Print the alerts of the organisation of TOCSIN_API_KEY as they occur",
    load: () => import("./events.ts"),
  },
  {
    name: "drill",
    usage: "<rule id>",
    summary: "Run a fire drill of a rule, and print who would be notified and when",
    load: () => import("./drill.ts"),
  },
  {
    name: "openapi",
    usage: "",
    summary: "Print the OpenAPI description",
    load: () => import("./openapi.ts"),
  },
];

/** The exit code of a wrong command line, as in sysexits.h; `plan` uses 2 for changes. */
const usageCode = 64;

const [name, ...args] = process.argv.slice(2);
const command = commands.find((command) => command.name === name);

if (!command) {
  const isHelp = name === undefined || name === "help" || name === "--help";
  if (!isHelp) console.error(`tocsin: unknown command ${name}.\n`);
  (isHelp ? console.log : console.error)(overview());
  process.exitCode = isHelp ? 0 : usageCode;
} else {
  // The compile cache stays in the installation, since a shared temporary folder could belong to anyone. In a
  // read-only installation the cache is not used.
  enableCompileCache(compileCacheFolder);
  // Stack traces of a bundle show positions in the sources.
  showSourcePositions();
  await runCommand(command).catch((error: unknown) => explain(command, error));
}

async function runCommand(command: Command): Promise<void> {
  const { run } = await command.load();
  await run(args);
}

/** Expected errors print one sentence; unexpected ones print a stack trace. */
function explain(failed: Command, error: unknown): void {
  process.exitCode = 1;
  if (error instanceof UsageError || isParseError(error)) {
    process.exitCode = usageCode;
    console.error(`tocsin: ${error.message}\nUsage: tocsin ${failed.name} ${failed.usage}`);
  } else if (error instanceof OperatorError || (error instanceof Error && error.name === "AppError")) {
    console.error(`tocsin: ${error.message}`);
  } else {
    console.error("tocsin:", error);
  }
}

function isParseError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

function overview(): string {
  const rows = commands.map(
    (command) => `  ${`${command.name} ${command.usage}`.padEnd(44)} ${command.summary}`,
  );
  return [
    ...["Usage: tocsin <command>", "", ...rows, ""],
    "export, plan, apply, contracts, events and drill use the service of TOCSIN_URL with TOCSIN_API_KEY, if they are set.",
  ].join("\n");
}
