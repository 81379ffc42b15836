import fc from "fast-check";
import * as viem from "viem";
import { expect, test } from "vitest";
import { contractAddress, getAddress, parseAddress } from "./address.ts";

const lower = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): viem.Hex => `0x${Buffer.from(bytes).toString("hex")}`);

test("addresses have the checksums that viem gives them", () => {
  fc.assert(
    fc.property(lower, (address) => {
      const checksummed = viem.getAddress(address);
      expect(getAddress(address)).toBe(checksummed);
      expect([parseAddress(address), parseAddress(checksummed)]).toEqual([checksummed, checksummed]);
      expect(parseAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(checksummed);
    }),
  );
});

test("an address with a wrong checksum, or of another length, is rejected", () => {
  const wrong = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eb48";
  expect(viem.isAddress(wrong)).toBe(false);
  expect(parseAddress(wrong)).toBeUndefined();
  for (const text of ["", "0x", `0x${"1".repeat(39)}`, `0x${"1".repeat(41)}`, `0X${"1".repeat(40)}`]) {
    expect(parseAddress(text)).toBeUndefined();
    expect(() => getAddress(text)).toThrow("is not an address");
  }
});

test("the address of a created contract is the one that viem computes", () => {
  fc.assert(
    fc.property(lower, fc.bigInt(0n, 2n ** 40n), (from, nonce) => {
      expect(contractAddress(from, nonce)).toBe(viem.getContractAddress({ from, nonce }));
    }),
  );
});
