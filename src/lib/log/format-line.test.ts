import { expect, test } from "vitest";
import { formatLine } from "./format-line.ts";

const line = (fields: object) => JSON.stringify({ time: "2026-11-16T18:30:05.123Z", ...fields });

test("a line for a person has the time, the level, the sentence and what it is about", () => {
  const json = line({ level: 40, chain: "ethereum", height: 12, reason: "two words", msg: "chain is late" });
  expect(formatLine(json, false)).toBe(
    '18:30:05 WARN  chain is late chain=ethereum height=12 reason="two words"',
  );
});

test("a line about an error has its message, its cause and the place in the source, and no stack", () => {
  const stack = "Error: no room\n    at write (store.ts:3:1)\n    at commit (commit.ts:9:1)";
  const json = line({
    level: 50,
    err: { message: "no room", stack, cause: { message: "disk full" } },
    msg: "not written",
  });
  expect(formatLine(json, false)).toBe(
    "18:30:05 ERROR not written: no room (disk full) at write (store.ts:3:1)",
  );
});

test("only a terminal gets colours", () => {
  const json = line({ level: 30, msg: "ready" });
  expect(formatLine(json, false)).toBe("18:30:05 INFO  ready");
  expect(formatLine(json, true)).toContain("\u001b[");
});
