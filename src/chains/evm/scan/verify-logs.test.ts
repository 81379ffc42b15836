import { expect, test } from "vitest";
import type { Hex } from "../../block.ts";
import type { Check } from "../blocks/tolerance.ts";
import type { FoundLog } from "./fetch-events.ts";
import { verifyLogs } from "./verify-logs.ts";

const place = { height: 7, time: 7, parent_hash: "0x06" };
const header = {
  ...place,
  hash: "0x07",
  /** Names one log, which is none of those below. */
  logs_bloom: `0x${"0".repeat(511)}1`,
  transactions: ["0x01"],
  senders: new Map<string, string>(),
};

function log(change: Partial<FoundLog> = {}): FoundLog {
  const address = "0x000000000000000000000000000000000000dEaD";
  const topics = [`0x${"1".repeat(64)}` as Hex];
  const where = { height: 7, block_hash: "0x07", time: 7, tx_hash: "0x01", tx_index: 0, log_index: 0 };
  return { ...where, address, topics, data: "0x", ...change };
}

const waive =
  (...checks: Check[]) =>
  (check: Check) =>
    checks.includes(check);

test.each<[string, Check, FoundLog]>([
  ["beyond the bloom filter", "logs_beyond_bloom", log()],
  ["of a transaction that is not listed", "unlisted_transactions", log({ tx_hash: "0x02" })],
  ["with another block hash", "other_block_hash", log({ block_hash: "0x08" })],
])("a log %s is rejected unless exactly that check is waived", (_, check, found) => {
  const others: Check[] = ["logs_beyond_bloom", "unlisted_transactions", "other_block_hash"];
  expect(() => verifyLogs(header, [found], waive(...others.filter((other) => other !== check)))).toThrow(
    /^returned logs /,
  );
  expect(verifyLogs(header, [found], waive("logs_beyond_bloom", check))).toHaveLength(1);
});

test("logs that are numbered in each transaction are kept, and a log that was returned twice counts once", () => {
  const second = log({ tx_hash: "0x02", tx_index: 1 });
  const header2 = { ...header, transactions: ["0x01", "0x02"] };
  expect(verifyLogs(header2, [log(), second, log()], waive("logs_beyond_bloom"))).toMatchObject([
    { tx_hash: "0x01", log_index: 0 },
    { tx_hash: "0x02", log_index: 0 },
  ]);
});
