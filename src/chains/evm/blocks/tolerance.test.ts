import { expect, test } from "vitest";
import { Tolerance } from "./tolerance.ts";

const block = { height: 7, hash: "0x07" };

function start(quirks: ConstructorParameters<typeof Tolerance>[0] = []) {
  let nowMs = Date.parse("2026-01-01");
  const tolerance = new Tolerance(quirks, { now: () => new Date(nowMs), sleep: async () => undefined });
  return { tolerance, pass: (seconds: number) => (nowMs += seconds * 1000) };
}

test("a chain that is known for a difference is accepted at once, without a warning", () => {
  const { tolerance } = start(["log_index_gaps"]);
  expect(tolerance.allows("log_index_gaps", block, 3, 0)).toBe(true);
  expect(tolerance.allows("gas_without_transactions", block, 3, 0)).toBe(false);
  expect(tolerance.warning()).toBeUndefined();
});

test("another difference is accepted when two endpoints agree, and the warning names it for ten minutes", () => {
  const { tolerance, pass } = start();
  expect(tolerance.allows("logs_of_failed_transactions", block, 3, 0)).toBe(false);
  expect(tolerance.allows("logs_of_failed_transactions", block, 4, 1)).toBe(false);
  expect(tolerance.allows("logs_of_failed_transactions", block, 3, 0)).toBe(false);
  expect(tolerance.allows("logs_of_failed_transactions", block, 3, 1)).toBe(true);
  expect(tolerance.warning()).toContain("contain logs of failed transactions, last block 7");
  pass(601);
  expect(tolerance.warning()).toBeUndefined();
});

test("a single endpoint is believed after it has repeated the same for two minutes", () => {
  const { tolerance, pass } = start();
  expect(tolerance.allows("unlisted_transactions", block, "0xaa", 0)).toBe(false);
  pass(119);
  expect(tolerance.allows("unlisted_transactions", block, "0xaa", 0)).toBe(false);
  pass(1);
  expect(tolerance.allows("unlisted_transactions", block, "0xaa", 0)).toBe(true);
});

test("logs that the bloom filter names are waited for, even if endpoints agree that there are none", () => {
  const { tolerance, pass } = start();
  expect(tolerance.allows("missing_logs", block, 0, 0)).toBe(false);
  expect(tolerance.allows("missing_logs", block, 0, 1)).toBe(false);
  pass(600);
  expect(tolerance.allows("missing_logs", block, 0, 1)).toBe(true);
});
