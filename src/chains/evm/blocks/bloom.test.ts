import fc from "fast-check";
import { type Hex, hexToBytes, keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { bloomMayContain, isTrivialBloom } from "./bloom.ts";

/** The filter as the yellow paper defines it, on one large integer. */
function bloomOf(values: Hex[]): Hex {
  let bits = 0n;
  for (const value of values) {
    const hash = hexToBytes(keccak256(value));
    for (const pair of [0, 2, 4]) {
      bits |= 1n << BigInt((((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 2047);
    }
  }
  return `0x${bits.toString(16).padStart(512, "0")}`;
}

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const log = fc.record({ address: hexOf(20), topics: fc.array(hexOf(32), { maxLength: 4 }) });

describe("a bloom filter", () => {
  it("equals the filter that Ethereum clients build", () => {
    const values = Array.from({ length: 100 }, (_, index) =>
      stringToHex(`xxxxxxxxxx data ${index} yyyyyyyyyyyyyy`),
    );
    const bloom = bloomOf(values);
    expect(keccak256(bloom)).toBe("0xc8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263");
    for (const value of values) expect(bloomMayContain(bloom, value, [])).toBe(true);
  });

  it("never excludes a log that is in it, in upper or lower case", () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), (logs) => {
        const bloom = bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics]));
        for (const { address, topics } of logs) {
          expect(bloomMayContain(bloom, address, topics)).toBe(true);
          const upper: Hex = `0x${address.slice(2).toUpperCase()}`;
          expect(bloomMayContain(`0x${bloom.slice(2).toUpperCase()}`, upper, topics.slice(0, 1))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("answers for other logs exactly as its bits do", () => {
    fc.assert(
      fc.property(fc.array(hexOf(20), { maxLength: 60 }), hexOf(20), hexOf(32), (inside, address, topic) => {
        const bloom = bloomOf(inside);
        const union = BigInt(bloom) | BigInt(bloomOf([address, topic]));
        expect(bloomMayContain(bloom, address, [topic])).toBe(union === BigInt(bloom));
      }),
      { numRuns: 500 },
    );
  });

  it("excludes nothing when it is malformed", () => {
    for (const bloom of ["", "0x", "0x00", `0x${"g".repeat(512)}`, "0".repeat(514)]) {
      expect(bloomMayContain(bloom, "0x01", [])).toBe(true);
      expect(isTrivialBloom(bloom)).toBe(true);
    }
  });

  it("is trivial when it is all zeros or all ones", () => {
    expect(isTrivialBloom(`0x${"0".repeat(512)}`)).toBe(true);
    expect(isTrivialBloom(`0x${"f".repeat(512)}`)).toBe(true);
    expect(isTrivialBloom(`0x${"F".repeat(512)}`)).toBe(true);
    expect(isTrivialBloom(bloomOf(["0x01"]))).toBe(false);
  });
});
