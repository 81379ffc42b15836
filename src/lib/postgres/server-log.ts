import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { oneLine } from "./run-program.ts";

/** Receives the log lines of the server. */
export type DatabaseLog = (line: { level: "info" | "warn" | "error"; msg: string }) => void;

/** Forwards the log of the server and keeps its last lines for error messages. */
export function followLog(stream: Readable, log: DatabaseLog): { recent(): string } {
  const recent: string[] = [];
  createInterface({ input: stream }).on("line", (line) => {
    recent.push(line);
    if (recent.length > 6) recent.shift();
    if (routine.test(line)) return;
    log({ level: levelOf(line), msg: `postgres: ${line.replace(/^LOG:\s+/, "")}` });
  });
  return { recent: () => oneLine(recent.join("\n")) };
}

/** Lines of normal starts, stops and connection attempts. */
const routine =
  /^\s*$|^LOG: +(starting PostgreSQL|listening on|database system (was shut down at|is)|received fast shutdown|aborting any active|shutting down)|^FATAL: +(the database system is|terminating connection due to (administrator|unexpected postmaster exit))/;

function levelOf(line: string): "info" | "warn" | "error" {
  if (/^(FATAL|PANIC):/.test(line)) return "error";
  return /^(WARNING|ERROR):/.test(line) ? "warn" : "info";
}
