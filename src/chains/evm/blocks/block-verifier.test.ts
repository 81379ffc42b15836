import { describe, expect, it } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import type { Block, Hex } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import { chainOf } from "../../index.ts";
import { makeBlockVerifier } from "./block-verifier.ts";
import { bloomOf } from "./bloom-of-logs.ts";
import type { Header } from "./header.ts";
import { headerHash } from "./header-hash.ts";

const zeros = `0x${"0".repeat(512)}`;
const ones = `0x${"f".repeat(512)}`;
const log = (number: number) => ({
  address: "0x000000000000000000000000000000000000dEaD",
  topics: [`0x${number.toString(16).padStart(64, "0")}` as Hex],
  data: "0x" as Hex,
  tx_hash: "0x01" as Hex,
  tx_index: 0,
  log_index: number,
  position: number,
});
const filterOf = (logs: ReturnType<typeof log>[]) => `0x${bloomOf(logs).toString("hex")}`;

/** A block of a chain that hashes headers differently, so it is accepted once two endpoints return it. */
function block(logs_bloom: string, logs = [log(0), log(1)]): { header: Header; block: Block } {
  const place = { height: 7, hash: "0x07" as Hex, parent_hash: "0x06" as Hex, time: 7, transactions: [] };
  return { header: { ...place, logs_bloom, raw: {} }, block: { ...place, logs } };
}

const word = `0x${"11".repeat(32)}`;
const words = ["parentHash", "sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot", "mixHash"];
const numbers = ["difficulty", "number", "gasLimit", "gasUsed", "timestamp"];
const raw = {
  ...Object.fromEntries(words.map((name) => [name, word])),
  ...Object.fromEntries(numbers.map((name) => [name, "0x7"])),
  ...{ miner: log(0).address, logsBloom: zeros, extraData: "0x", nonce: "0x0000000000000000" },
};
/** A header that matches its hash. */
const matching = { ...raw, hash: headerHash(raw) };

/** The outcome after each of several endpoints returned the block. */
function verdict(chain: string, sent: ReturnType<typeof block>, endpoints = [0, 1]): string {
  const check = makeBlockVerifier(chainOf(chain) as Chain, systemClock);
  let outcome = "";
  for (const endpoint of endpoints) {
    try {
      check.accept(sent.header, sent.block, endpoint);
      outcome = "believed";
    } catch (error) {
      outcome = (error as Error).message;
    }
  }
  return outcome;
}

const whole = filterOf([log(0), log(1)]);
const more = filterOf([log(0), log(1), log(2)]);

/** The warning after one endpoint has returned the block three times. */
function warningAbout(chain: string, sent: ReturnType<typeof block>): string | undefined {
  const check = makeBlockVerifier(chainOf(chain) as Chain, systemClock);
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      check.accept(sent.header, sent.block, 0);
    } catch {
      // It is not accepted yet.
    }
  }
  return check.tolerance.warning();
}

describe("a block", () => {
  it("is accepted when its logs match the bloom filter of its header", () => {
    expect(verdict("ethereum", block(whole))).toBe("believed");
  });

  it("without logs that are in the bloom filter is never accepted", () => {
    expect(verdict("ethereum", block(more), [0, 1, 2, 0, 1, 2])).toContain("omitted logs");
    expect(verdict("polygon", block(whole, []), [0, 1, 2])).toContain("omitted logs");
  });

  it("with a header that does not match its hash is accepted when two endpoints, or one three times, return the same", () => {
    expect(verdict("ethereum", block(whole), [0])).toContain("does not match its hash");
    expect(verdict("ethereum", block(whole), [0, 0])).toContain("does not match its hash");
    expect(verdict("ethereum", block(whole), [0, 0, 0])).toBe("believed");
  });

  it("with a header that does not match its hash is accepted at once on a chain that is known for it, also after one that matches", () => {
    const check = makeBlockVerifier(chainOf("sei") as Chain, systemClock);
    expect(check.acceptRef(matching, 0)).toMatchObject({ height: 7 });
    expect(check.acceptRef({ ...matching, gasUsed: "0x8" }, 0)).toMatchObject({ height: 7 });
    const strict = makeBlockVerifier(chainOf("ethereum") as Chain, systemClock);
    strict.acceptRef(matching, 0);
    expect(() => strict.acceptRef({ ...matching, gasUsed: "0x8" }, 0)).toThrow("does not match its hash");
  });

  it("with logs beyond the bloom filter needs two endpoints that agree, except on chains where that is normal", () => {
    const beyond = block(filterOf([log(0)]));
    expect(verdict("ethereum", beyond, [0, 1])).toContain("not in the bloom filter");
    expect(verdict("ethereum", beyond, [0, 1, 0])).toBe("believed");
    expect(verdict("polygon", beyond, [0, 1])).toBe("believed");
  });

  it("that is accepted because it was repeated is named by the warning", () => {
    expect(warningAbout("ethereum", block(whole))).toContain(
      "Blocks of the nodes have headers that do not match their hash, last block 7.",
    );
    expect(warningAbout("ethereum", block(filterOf([log(0)])))).toContain(
      "contain logs that the bloom filter of their header lacks, last block 7",
    );
    expect(warningAbout("zksync", block(zeros))).toBeUndefined();
  });

  it("is not checked against a bloom filter without information", () => {
    expect(verdict("ethereum", block(ones))).toBe("believed");
    expect(verdict("zksync", block(zeros))).toBe("believed");
  });

  it("cannot be verified to have no logs when the bloom filter carries no information", () => {
    const tells = (chain: string, bloom: string) =>
      makeBlockVerifier(chainOf(chain) as Chain, systemClock).canVerifyLogs(block(bloom).header);
    expect([tells("ethereum", zeros), tells("ethereum", whole)]).toEqual([true, true]);
    expect([tells("ethereum", ones), tells("zksync", zeros)]).toEqual([false, false]);
  });
});

describe("a receipt", () => {
  it("that lacks logs which its own bloom filter names is accepted after ten minutes, and the warning says so", () => {
    let nowMs = Date.parse("2026-01-01");
    const clock = { now: () => new Date(nowMs), sleep: async () => undefined };
    const check = makeBlockVerifier(chainOf("ethereum") as Chain, clock);
    check.acceptRef(matching, 0);
    const { header } = block(whole);
    const receipt = { logsBloom: whole, transactionHash: "0x01" };
    const accept = () => check.acceptReceipt(header, receipt, [log(0)], 0);
    expect(accept).toThrow("omitted logs of a receipt");
    nowMs += 599_000;
    expect(accept).toThrow("omitted logs of a receipt");
    expect(check.tolerance.warning()).toBeUndefined();
    nowMs += 1_000;
    expect(accept).not.toThrow();
    expect(check.tolerance.warning()).toBe(
      "Blocks of the nodes lack logs that the bloom filter of their header names, last block 7. " +
        "They are accepted without this check, because the nodes return nothing else.",
    );
    expect(() => check.acceptReceipt(header, receipt, [log(0), log(1)], 0)).not.toThrow();
  });
});
