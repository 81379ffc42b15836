import { expect, test } from "vitest";
import { emptyProfile } from "../../inspection/profile/profile.ts";
import type { ContractFacts } from "../template.ts";
import { nativeDownInADay } from "./native-down-in-a-day.ts";
import { nativeDrained } from "./native-drained.ts";

const recommendedFor = (contract_type: string) => {
  const facts = {
    contract_type,
    profile: { ...emptyProfile, holds_native: true },
  } as unknown as ContractFacts;
  return [nativeDrained, nativeDownInADay].map((template) => template.isRecommended?.(facts));
};

test("the rules about native currency are not recommended for collections, whose owner withdraws the proceeds", () => {
  expect(recommendedFor("erc721")).toEqual([false, false]);
  expect(recommendedFor("erc1155")).toEqual([false, false]);
  expect(recommendedFor("vault")).toEqual([true, true]);
});
