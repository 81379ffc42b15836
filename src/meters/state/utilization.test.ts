import { describe, expect, it } from "vitest";
import { alice, at, bob, failed, returned, start, subject } from "../../../test/meters/scripted-activity.ts";
import { utilization } from "./utilization.ts";

function interpret(config: unknown, ...results: (typeof failed)[]) {
  return utilization.interpret?.(utilization.config.parse(config), results, subject, at(start));
}

const words = "uint256, uint256, uint256, uint256, uint256, uint256, uint256";
const aave = { preset: "aave_v3" as const, asset: alice, data_provider: bob };
const functions = { borrow_function: "totalBorrow()", supply_function: "totalSupply()" };

describe("the utilization meter", () => {
  it("reads getUtilization() of Compound V3", () => {
    const config = { preset: "compound_v3" as const };
    expect(utilization.reads?.(config, subject)).toHaveLength(1);
    expect(interpret(config, returned("uint256", 95n * 10n ** 16n))).toMatchObject({ value: 0.95 });
  });

  it("divides the debts of Aave V3 by its deposits", () => {
    expect(utilization.reads?.(aave, subject)).toMatchObject([{ to: bob }]);
    expect(interpret(aave, returned(words, 0n, 0n, 1000n, 100n, 700n, 1n, 1n))).toMatchObject({
      value: 0.8,
      evidence: { borrowed: 800n, supplied: 1000n },
    });
  });

  it("reports a problem if data_provider is the Aave pool itself", () => {
    const ray = 10n ** 27n;
    expect(interpret(aave, returned(words, 1n, ray, ray / 50n, ray, ray / 30n, 1n, 1n))).toHaveProperty(
      "problem",
    );
  });

  it("divides the results of the two configured functions", () => {
    expect(utilization.reads?.(functions, subject)).toHaveLength(2);
    const sums = (borrowed: bigint, supplied: bigint) =>
      interpret(functions, returned("uint256", borrowed), returned("uint256", supplied));
    expect(sums(1n, 4n)).toMatchObject({ value: 0.25 });
    expect(sums(0n, 0n)).toMatchObject({ value: 0 });
    expect(sums(1n, 0n)).toHaveProperty("problem");
  });

  it("reports a problem if a value cannot be read", () => {
    expect(interpret(functions, returned("uint256", 1n), failed)).toHaveProperty("problem");
    expect(interpret({ preset: "compound_v3" }, failed)).toHaveProperty("problem");
    expect(interpret(aave, returned("uint256", 1n))).toHaveProperty("problem");
  });

  it.each([
    ["neither preset nor functions", {}],
    ["only one of the functions", { borrow_function: "totalBorrow()" }],
    ["a preset and functions", { preset: "compound_v3", ...functions }],
    ["Aave without an asset", { preset: "aave_v3", data_provider: bob }],
    ["Aave without a data provider", { preset: "aave_v3", asset: alice }],
    ["a function with arguments", { ...functions, borrow_function: "debt(address)" }],
    ["an unknown preset", { preset: "other" }],
  ])("rejects a config with %s", (_, config) => {
    expect(utilization.config.safeParse(config).success).toBe(false);
  });
});
