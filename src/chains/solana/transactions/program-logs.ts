/** One log line that a program wrote. */
export type ProgramLine = { program: string; kind: "log" | "data"; text: string };

/** The parsed log of a transaction. */
export type ProgramLogs = {
  lines: ProgramLine[];
  isTruncated: boolean;
  /** The first program that failed: the innermost one, whose error the others passed on. */
  failedProgram: string | null;
};

const base58 = "[1-9A-HJ-NP-Za-km-z]{32,44}";
const invoked = new RegExp(`^Program (${base58}) invoke \\[(\\d{1,3})\\]$`);
const ended = new RegExp(`^Program (${base58}) (success$|failed)`);

/**
 * Parses a log and attributes each line to the program on top of the call stack. Lines of a program always start with
 * `Program log:` or `Program data:`, so a program cannot forge a line of the runtime.
 */
export function readLogs(messages: readonly string[]): ProgramLogs {
  const stack: string[] = [];
  const lines: ProgramLine[] = [];
  let isTruncated = false;
  let failedProgram: string | null = null;
  for (const message of messages) {
    if (message === "Log truncated") isTruncated = true;
    const call = invoked.exec(message);
    if (call) {
      // The depth in each invoke line repairs the stack when a line was lost.
      stack.length = Math.min(stack.length, Number(call[2]) - 1);
      stack.push(call[1] as string);
      continue;
    }
    const end = ended.exec(message);
    if (end) {
      if (end[2] === "failed") failedProgram ??= end[1] as string;
      stack.pop();
    } else {
      const line = readLine(message, stack.at(-1));
      if (line) lines.push(line);
    }
  }
  return { lines, isTruncated, failedProgram };
}

function readLine(message: string, program: string | undefined): ProgramLine | undefined {
  if (!program) return undefined;
  if (message.startsWith("Program log: ")) return { program, kind: "log", text: message.slice(13) };
  if (message.startsWith("Program data: ")) return { program, kind: "data", text: message.slice(14) };
  return undefined;
}
