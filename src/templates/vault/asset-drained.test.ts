import { expect, test } from "vitest";
import type { Asset } from "../../inspection/profile/profile.ts";
import { emptyProfile } from "../../inspection/profile/profile.ts";
import type { ContractFacts } from "../template.ts";
import { assetDrained } from "./asset-drained.ts";

const day = 86_400;
const drains = { count: 0, from: 0, to: day / 2, blocks: 3_600 };
const past = { outflow: 0.005, outflows: 40, inflow: 0.004, drains };

function thresholdOf(flows: Partial<Asset>, contract_type = "vault"): number | undefined {
  const asset = {
    token: "0x0000000000000000000000000000000000000001",
    symbol: "USDC",
    decimals: 6,
    ...flows,
  };
  const facts = { contract_type, profile: { ...emptyProfile, assets: [asset] } } as ContractFacts;
  return assetDrained.variantsFor?.(facts)?.[0]?.condition?.threshold;
}

test("a tenth of the holdings is a drain where a short past has only small movements", () => {
  expect(thresholdOf(past)).toBe(-10);
  expect(thresholdOf({ ...past, outflow: 0.016 })).toBe(-13);
});

test("a fifth is a drain where a short past has large deposits or hardly any withdrawals, and a whale who leaves is none", () => {
  expect(thresholdOf({ ...past, inflow: 0.17 })).toBe(-18);
  expect(thresholdOf({ ...past, outflows: 3 })).toBe(-18);
});

test("what left at once before is no drain, within bounds", () => {
  expect(thresholdOf({ ...past, outflow: 0.12 })).toBe(-24);
  expect(thresholdOf({ ...past, outflow: 0.4 })).toBe(-30);
});

test("a fifth is a drain where nothing is known of the past, but not of a wallet, whose owner may pay more", () => {
  expect(thresholdOf({})).toBe(-18);
  expect(thresholdOf({}, "wallet")).toBe(-30);
  expect(thresholdOf({}, "safe")).toBe(-30);
});

test("a past of days shows what is usual", () => {
  const long = { ...drains, to: 4 * day };
  expect(thresholdOf({ ...past, inflow: 0.17, drains: long })).toBe(-10);
});
