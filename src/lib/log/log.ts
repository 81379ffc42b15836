import { type Logger, pino } from "pino";
import { formatLine } from "./format-line.ts";

export type Log = Logger;

/** Property names that are redacted in log lines, up to three levels deep. */
const secretNames = [
  "password",
  "new_password",
  "password_hash",
  "token",
  "token_hash",
  "secret",
  "key",
  "api_key",
  "authorization",
  "cookie",
  "set-cookie",
  "access_token",
  "admin_token",
  "connectionString",
];

/** `text` is for people at a terminal, `json` for machines. */
export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** Opens the log of a process on its standard output. */
export function openLog({ logLevel, logFormat }: { logLevel: string; logFormat: LogFormat }): Log {
  if (logFormat === "json") return makeLog(logLevel);
  const { stdout } = process;
  return makeLog(logLevel, (line) => void stdout.write(`${formatLine(line, stdout.isTTY === true)}\n`));
}

/** JSON lines on standard output, or wherever `write` sends them. */
export function makeLog(level: string, write?: (line: string) => void): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap(atThreeDepths), censor: "[redacted]" },
    serializers: { err: describeError },
  };
  return write ? pino(options, { write }) : pino(options);
}

/** The message and stack of an error, without properties that a library attached: they may hold secrets. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}

function atThreeDepths(name: string): string[] {
  const quoted = `["${name}"]`;
  return [quoted, `*${quoted}`, `*.*${quoted}`];
}
