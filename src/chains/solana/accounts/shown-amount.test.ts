import { expect, test } from "vitest";
import { readTransaction } from "../transactions/transaction.ts";
import { addressOfBytes, token2022Program } from "./address.ts";
import { isScaled, mintExtensionsOf } from "./mint-extensions.ts";
import { mintScaleOf } from "./mint-scale.ts";
import { shownAmount } from "./shown-amount.ts";

test.each([
  [{ amount: "1500", decimals: 3, uiAmountString: "1.5" }, 1500n],
  [{ amount: "1500", decimals: 3, uiAmountString: "7.5" }, 7500n],
  [{ amount: "1500", decimals: 3, uiAmountString: "1.51237" }, 1512n],
  [{ amount: "3", decimals: 0, uiAmountString: "6" }, 6n],
  [{ amount: "1500", decimals: 3 }, 1500n],
  [{ amount: "1500", decimals: 3, uiAmountString: null }, 1500n],
  [{ amount: "1500", decimals: 3, uiAmountString: "1e9" }, 1500n],
  [{ amount: "1500", decimals: 3, uiAmountString: "NaN" }, 1500n],
])("the amount %o is shown as %s of the smallest unit", (amount, expected) => {
  expect(shownAmount(amount)).toBe(expected);
});

test("a transfer has the stored amounts, which are those that nodes return in transactions", () => {
  const balance = (amount: string, uiAmountString: string) => [
    { accountIndex: 0, mint: "mint", owner: "owner", uiTokenAmount: { amount, decimals: 1, uiAmountString } },
  ];
  const { transaction } = readTransaction(
    {
      slot: 1,
      transaction: { signatures: ["a"], message: { accountKeys: ["account"], instructions: [] } },
      meta: {
        ...{ err: null, fee: 5000, preBalances: [1], postBalances: [1] },
        ...{ preTokenBalances: balance("100", "10"), postTokenBalances: balance("40", "4") },
      },
    },
    "a",
  );
  expect(transaction.token_balances).toMatchObject([{ before: 100n, after: 40n, decimals: 1 }]);
});

/** A mint of Token-2022 with extensions. */
function mintWith(...extensions: [kind: number, value: Buffer][]) {
  const base = Buffer.alloc(166);
  [base[45], base[165]] = [1, 1];
  const parts = extensions.map(([kind, value]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(kind);
    head.writeUInt16LE(value.length, 2);
    return Buffer.concat([head, value]);
  });
  const data = Buffer.concat([base, ...parts]);
  return { owner: token2022Program as string | null, isExecutable: false, lamports: 1n, data };
}

test("the extensions of a mint are read by their kinds, and up to where the data breaks off", () => {
  const key = (fill: number) => Buffer.alloc(32, fill);
  const hook = Buffer.concat([key(2), key(0)]);
  const whole = mintWith(
    [12, key(1)],
    [99, Buffer.alloc(5)],
    [14, hook],
    [25, Buffer.concat([key(3), Buffer.alloc(24)])],
  );
  expect(mintExtensionsOf(whole)).toEqual({
    permanentDelegate: addressOfBytes(key(1)),
    unknown: [99],
    transferHook: { authority: addressOfBytes(key(2)), program: null },
    scaledAmount: { authority: addressOfBytes(key(3)), factor: 0 },
  });
  expect(isScaled(mintExtensionsOf(whole))).toBe(true);
  for (let length = 0; length < whole.data.length; length++) {
    const found = mintExtensionsOf({ ...whole, data: whole.data.subarray(0, length) });
    expect(isScaled(found)).toBe(false);
    expect("permanentDelegate" in found).toBe(length >= 166 + 36);
  }
  expect(mintExtensionsOf({ ...whole, owner: "another" })).toEqual({});
});

test("amounts are multiplied by the factor before or after its time, and by interest that is compounded continuously", () => {
  const factors = Buffer.alloc(56);
  factors.writeDoubleLE(2, 32);
  factors.writeBigInt64LE(1_000n, 40);
  factors.writeDoubleLE(3, 48);
  const scaled = mintScaleOf(mintWith([25, factors]));
  expect([999, 1_000].map((time) => scaled?.(time))).toEqual([2, 3]);
  const interest = Buffer.alloc(52);
  const year = 31_556_736n;
  interest.writeBigInt64LE(0n, 32);
  interest.writeInt16LE(1_000, 40);
  interest.writeBigInt64LE(year, 42);
  interest.writeInt16LE(-500, 50);
  const bearing = mintScaleOf(mintWith([10, interest]));
  expect(bearing?.(Number(year))).toBeCloseTo(Math.exp(0.1), 12);
  expect(bearing?.(2 * Number(year))).toBeCloseTo(Math.exp(0.05), 12);
  expect(mintScaleOf(mintWith([12, Buffer.alloc(32)]))).toBeUndefined();
});
