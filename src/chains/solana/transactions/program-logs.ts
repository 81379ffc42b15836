/** One line that a program wrote itself. */
export type ProgramLine = { program: string; kind: "log" | "data"; text: string };

/** What a transaction's log tells: who wrote what, and whether some of it was cut off. */
export type ProgramLogs = { lines: ProgramLine[]; isTruncated: boolean };

const base58 = "[1-9A-HJ-NP-Za-km-z]{32,44}";
const invoked = new RegExp(`^Program (${base58}) invoke \\[(\\d{1,3})\\]$`);
const ended = new RegExp(`^Program (${base58}) (success$|failed)`);

/**
 * Follows the call stack through a log, so that each line is the program's on top of it. A call that fails ends too. What a
 * program writes always begins with `Program log:` or `Program data:`, so that it cannot pass for a line of the runtime.
 */
export function readLogs(messages: readonly string[]): ProgramLogs {
  const stack: string[] = [];
  const lines: ProgramLine[] = [];
  let isTruncated = false;
  for (const message of messages) {
    if (message === "Log truncated") isTruncated = true;
    const call = invoked.exec(message);
    if (call) {
      // The depth is told with each call, which mends a stack that lost a line.
      stack.length = Math.min(stack.length, Number(call[2]) - 1);
      stack.push(call[1] as string);
    } else if (ended.test(message)) stack.pop();
    else {
      const line = readLine(message, stack.at(-1));
      if (line) lines.push(line);
    }
  }
  return { lines, isTruncated };
}

function readLine(message: string, program: string | undefined): ProgramLine | undefined {
  if (!program) return undefined;
  if (message.startsWith("Program log: ")) return { program, kind: "log", text: message.slice(13) };
  if (message.startsWith("Program data: ")) return { program, kind: "data", text: message.slice(14) };
  return undefined;
}
