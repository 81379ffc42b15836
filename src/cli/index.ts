#!/usr/bin/env node
import { OperatorError } from "../lib/errors.ts";
import { apply } from "./apply.ts";
import { type Command, UsageError } from "./command.ts";
import { doctor } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { migrate } from "./migrate.ts";
import { openapi } from "./openapi.ts";
import { org } from "./org.ts";
import { plan } from "./plan.ts";
import { serve } from "./serve.ts";
import { staff } from "./staff.ts";

const commands: Command[] = [serve, migrate, doctor, staff, org, exportCommand, plan, apply, openapi];

const [name, ...args] = process.argv.slice(2);
const command = commands.find((one) => one.name === name);

if (!command) {
  const isHelp = name === undefined || name === "help" || name === "--help";
  if (!isHelp) console.error(`tocsin: there is no command ${name}.\n`);
  (isHelp ? console.log : console.error)(overview());
  process.exitCode = isHelp ? 0 : 2;
} else {
  await command.run(args).catch((error: unknown) => explain(command, error));
}

/** A person gets a sentence; only what nobody foresaw comes with its stack. */
function explain(failed: Command, error: unknown): void {
  process.exitCode = 1;
  if (error instanceof UsageError || isParseError(error)) {
    process.exitCode = 2;
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
  const rows = commands.map((one) => `  ${`${one.name} ${one.usage}`.padEnd(44)} ${one.summary}`);
  return ["Usage: tocsin <command>", "", ...rows].join("\n");
}
