import { expect, test } from "vitest";
import { emptyProfile } from "../../inspection/profile/profile.ts";
import type { ContractFacts } from "../template.ts";
import { assetDownInADay as template } from "./asset-down-in-a-day.ts";

function factsOf(outflow_of_day?: number, contract_type = "vault"): ContractFacts {
  const token = { token: "0x0000000000000000000000000000000000000001", symbol: "USDC", decimals: 6 };
  const asset = { ...token, ...(outflow_of_day !== undefined && { outflow_of_day }) };
  return { contract_type, profile: { ...emptyProfile, assets: [asset] } } as unknown as ContractFacts;
}

const thresholdOf = (facts: ContractFacts) => template.variantsFor?.(facts)?.[0]?.condition.threshold;

test("half is the least, and twice what was usual within a day is more", () => {
  expect(thresholdOf(factsOf())).toBe(-50);
  expect(thresholdOf(factsOf(0.1))).toBe(-50);
  expect(thresholdOf(factsOf(0.4))).toBe(-80);
});

test("the outflow of part of a day is extrapolated to the whole day", () => {
  const [asset] = factsOf(0.2).profile?.assets ?? [];
  const known = (hours: number) => {
    const drains = { count: 0, from: 1_800_000_000 - hours * 3_600, to: 1_800_000_000, blocks: 1 };
    return { ...factsOf(), profile: { ...emptyProfile, assets: [{ ...asset, drains }] } } as ContractFacts;
  };
  expect(thresholdOf(known(48))).toBe(-50);
  expect(thresholdOf(known(12))).toBe(-80);
  expect(template.variantsFor?.(known(6))).toEqual([]);
});

test("a token most of which leaves every day gets no rule, with the reason", () => {
  expect(template.variantsFor?.(factsOf(0.6))).toEqual([]);
  expect(template.check(factsOf(0.6), undefined)).toMatch(/leaves on ordinary days/);
  expect(template.check(factsOf(0.1), undefined)).toBeUndefined();
});

test("a wallet needs a past, because its owner may pay any part", () => {
  expect(template.isRecommended?.(factsOf(undefined, "wallet"))).toBe(false);
  expect(template.isRecommended?.(factsOf(0.1, "wallet"))).toBe(true);
});
