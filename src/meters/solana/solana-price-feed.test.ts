import { describe, expect, it } from "vitest";
import { legacyPythPrice, pythUpdate, switchboardFeed } from "../../../test/solana/cluster/price-accounts.ts";
import type { ReadResult } from "../../chains/block.ts";
import { chainOf } from "../../chains/index.ts";
import { packAccount } from "../../chains/solana/accounts/account-state.ts";
import { oracleDeviation } from "../oracle/oracle-deviation.ts";
import { oraclePrice } from "../oracle/oracle-price.ts";
import { oracleStaleness } from "../oracle/oracle-staleness.ts";

const chain = chainOf("solana") ?? expect.fail("solana is missing");
const address = "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE";
const subject = { chain, address };
const receiver = "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ";
const legacy = "FsJ3A3u2vn5cTVofAjvy6y5kwABJAqYWpe4975bi2epH";
const switchboard = "SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv";
const now = 1_700_000_000;

const account = (owner: string, data: Buffer): ReadResult => ({
  ok: true,
  data: packAccount({ owner, isExecutable: false, lamports: 1n, data }),
});
const interpret = (...results: ReadResult[]) =>
  oraclePrice.interpret?.({}, results, subject, { time: now, previous: undefined });

const pyth = (price = 15_012_345_678n, updatedAt = now) =>
  account(receiver, pythUpdate({ price, exponent: -8, updatedAt, confidence: 2_000_000n }));

describe("the price of an account", () => {
  it("of Pyth is scaled by its exponent, with its confidence, id and verification", () => {
    expect(interpret(pyth())).toMatchObject({
      value: 150.12345678,
      evidence: {
        ...{ feed: address, oracle: "pyth", confidence: 0.02, decimals: 8, round_id: 7n, updated_at: now },
        ...{ pair: `0x${"ef".repeat(32)}`, is_verified: true },
      },
    });
    const partly = pythUpdate({ price: -5n, exponent: 2, updatedAt: now, signatures: 5 });
    expect(interpret(account(receiver, partly))).toMatchObject({
      value: -500,
      evidence: { is_verified: false, round_id: 7n },
    });
  });

  it("of the first oracle program of Pyth is read too", () => {
    const data = legacyPythPrice({ price: 99_900_000n, exponent: -8, updatedAt: now });
    expect(interpret(account(legacy, data))).toMatchObject({
      value: 0.999,
      evidence: { oracle: "pyth_legacy", round_id: 77n, updated_at: now },
    });
  });

  it("of Switchboard has 18 decimals and a name", () => {
    const data = switchboardFeed({ value: 3_141_592_653_589_793_238_462n, updatedAt: now, name: "SOL/USD" });
    expect(interpret(account(switchboard, data))).toMatchObject({
      value: expect.closeTo(3141.592653589793, 9),
      evidence: { oracle: "switchboard", pair: "SOL/USD", round_id: 88n, updated_at: now },
    });
    const negative = switchboardFeed({ value: -(10n ** 18n), updatedAt: now, name: "x" });
    expect(interpret(account(switchboard, negative))).toMatchObject({ value: -1 });
  });

  it("is a problem without a price, without an account, or if the account is something else", () => {
    const without = switchboardFeed({ value: 0n, updatedAt: now, name: "x", slot: 0n });
    expect(interpret(account(switchboard, without))).toEqual({ problem: "The feed has no price yet." });
    expect(interpret({ ok: true, data: "0x" })).toHaveProperty("problem");
    const failed = { ok: false, code: "unavailable", problem: "a node is down" } as const;
    expect(interpret(failed)).toEqual({ problem: "The feed could not be read: a node is down." });
    const foreign = account(legacy, pythUpdate({ price: 1n, exponent: 0, updatedAt: now }));
    expect(interpret(foreign)).toMatchObject({ isUnsupported: true });
    const absurd = pythUpdate({ price: 1n, exponent: 2_000_000_000, updatedAt: now });
    expect(interpret(account(receiver, absurd))).toMatchObject({ isUnsupported: true });
  });

  it("is a problem for data that breaks off anywhere", () => {
    const whole = pythUpdate({ price: 1n, exponent: 0, updatedAt: now });
    for (let length = 0; length < whole.length - 1; length++)
      expect(interpret(account(receiver, whole.subarray(0, length)))).toHaveProperty("problem");
    const feed = switchboardFeed({ value: 1n, updatedAt: now, name: "x" });
    for (let length = 0; length < 2_376; length += 7)
      expect(interpret(account(switchboard, feed.subarray(0, length)))).toHaveProperty("problem");
  });
});

describe("the oracle targets on Solana", () => {
  it("measure the age of the price, and the deviation from another feed", () => {
    const context = { time: now + 100, previous: undefined };
    const config = { heartbeat_seconds: 60 };
    expect(oracleStaleness.interpret?.(config, [pyth()], subject, context)).toMatchObject({
      value: 100,
      evidence: { overdue_seconds: 40, oracle: "pyth" },
    });
    const other = switchboardFeed({ value: 100n * 10n ** 18n, updatedAt: now, name: "x" });
    const results = [pyth(11_000_000_000n), account(switchboard, other)];
    expect(oracleDeviation.interpret?.({ reference_feed: legacy }, results, subject, context)).toMatchObject({
      value: expect.closeTo(10),
    });
    expect(oracleDeviation.reads?.({ reference_feed: legacy }, subject)).toMatchObject([
      { kind: "account", address },
      { kind: "account", address: legacy },
    ]);
  });

  it("read less of a feed that is known to be of Pyth, and reject addresses of other chains", () => {
    const lengthAfter = (oracle?: string) => {
      const previous = oracle
        ? { ...{ value: 1, tx_hash: null, position: null, height: 1, time: 1 }, evidence: { oracle } }
        : undefined;
      const [read] = oraclePrice.reads?.({}, subject, previous) ?? [];
      return read?.kind === "account" ? read.length : undefined;
    };
    expect([lengthAfter(), lengthAfter("switchboard"), lengthAfter("pyth")]).toEqual([2_392, 2_392, 240]);
    const evm = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    expect(oraclePrice.configProblem?.({ feed: evm }, "solana")).toContain("not a valid address");
    expect(oraclePrice.configProblem?.({ feed: address }, "evm")).toContain("not a valid address");
  });
});
