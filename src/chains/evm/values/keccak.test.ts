import fc from "fast-check";
import { keccak256 } from "viem";
import { expect, test } from "vitest";
import { keccak } from "./keccak.ts";

const inHex = (bytes: Uint8Array) => `0x${keccak(bytes).toString("hex")}`;

test("keccak of empty input is the known constant", () => {
  expect(inHex(new Uint8Array())).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
});

test("keccak equals viem's for every length around the block size", () => {
  for (let length = 0; length < 600; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
    expect(inHex(bytes)).toBe(keccak256(bytes));
  }
});

test("keccak equals viem's for arbitrary bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(inHex(bytes)).toBe(keccak256(bytes));
    }),
  );
});
