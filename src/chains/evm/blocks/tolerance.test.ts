import { expect, test } from "vitest";
import { Tolerance } from "./tolerance.ts";

const startedMs = Date.parse("2026-01-01");
const block = { height: 7, hash: "0x07", time: startedMs / 1000 };

function start(quirks: ConstructorParameters<typeof Tolerance>[0] = []) {
  let nowMs = startedMs;
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

const later = (height: number, time = block.time) => ({ height, hash: `0x${height}`, time });

test("an endpoint whose difference was accepted after the wait is known for it, so that its next blocks do not wait", () => {
  const { tolerance, pass } = start();
  tolerance.allows("log_index_gaps", block, 3, 0);
  pass(120);
  expect(tolerance.allows("log_index_gaps", block, 3, 0)).toBe(true);
  expect(tolerance.allows("log_index_gaps", later(8), 5, 0)).toBe(true);
  expect(tolerance.allows("log_index_gaps", later(8), 5, 1)).toBe(false);
  expect(tolerance.allows("unlisted_transactions", later(8), 5, 0)).toBe(false);
});

test("a known difference is accepted and named for an hour after its last block, then checked again", () => {
  const { tolerance, pass } = start();
  tolerance.allows("log_index_gaps", block, 3, 0);
  pass(120);
  tolerance.allows("log_index_gaps", block, 3, 0);
  pass(3_599);
  expect(tolerance.allows("log_index_gaps", later(8), 5, 0)).toBe(true);
  pass(3_599);
  expect(tolerance.warning()).toContain("number their logs with gaps, last block 8");
  pass(2);
  expect(tolerance.warning()).toBeUndefined();
  expect(tolerance.allows("log_index_gaps", later(9), 5, 0)).toBe(false);
});

test("differences of many blocks that endpoints agree on become known as well", () => {
  const { tolerance, pass } = start();
  for (let height = 1; height <= 3; height++) {
    expect(tolerance.allows("unlisted_transactions", later(height), "0xaa", 0)).toBe(false);
    expect(tolerance.allows("unlisted_transactions", later(height), "0xaa", 1)).toBe(true);
    pass(60);
  }
  expect(tolerance.allows("unlisted_transactions", later(4), "0xaa", 1)).toBe(true);
});

test("a new block of an endpoint that is known to lack logs is waited for all the same, because they may come late", () => {
  const { tolerance, pass } = start();
  tolerance.allows("missing_logs", block, 0, 0);
  pass(600);
  expect(tolerance.allows("missing_logs", block, 0, 0)).toBe(true);
  expect(tolerance.allows("missing_logs", later(8, block.time + 599), 0, 0)).toBe(false);
  expect(tolerance.allows("missing_logs", later(8, block.time + 1), 0, 0)).toBe(false);
  expect(tolerance.allows("missing_logs", later(8, block.time), 0, 0)).toBe(true);
});

test("the warning names every check that is waived", () => {
  const { tolerance } = start();
  tolerance.accept("log_order", later(5), 0);
  tolerance.accept("own_header_hash", later(6), 0);
  expect(tolerance.warning()).toBe(
    "Blocks of the nodes list their logs out of order, last block 5; and they have headers that do not match their hash, " +
      "last block 6. They are accepted without these checks, because the nodes return nothing else.",
  );
});
