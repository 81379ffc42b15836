import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { OperatorError } from "../operator-error.ts";
import { type Sandbox, spawnPlan } from "./sandbox.ts";

/** Runs a PostgreSQL program and returns its output. */
export async function runProgram(sandbox: Sandbox, program: string, args: string[]): Promise<string> {
  const plan = spawnPlan(sandbox, program, args);
  const child = spawn(plan.file, plan.args, { ...plan.options, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown"));
  });
  const [printed, complaint, result] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (result === 0) return printed;
  if (isDiskFull(complaint)) throw new OperatorError(diskFull);
  throw new OperatorError(`${program} failed (${result}): ${oneLine(complaint) || "it printed nothing"}`);
}

export const diskFull =
  "The disk of the data folder is full. Free at least 200 MB, or set DATA_DIR to a folder on another disk.";

/** Shared memory is full for another reason, and its message names it. */
export function isDiskFull(complaint: string): boolean {
  return /No space left on device/.test(complaint) && !/shared memory/.test(complaint);
}

/** The last lines of an error output, joined for an error message. */
export function oneLine(complaint: string): string {
  const lines = complaint.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  return lines.filter(Boolean).slice(-6).join("; ");
}
