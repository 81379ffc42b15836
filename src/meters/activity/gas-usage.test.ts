import { describe, expect, it } from "vitest";
import { activity, call, subject } from "../../../test/meters/scripted-activity.ts";
import { gasUsage } from "./gas-usage.ts";

function measure(...calls: ReturnType<typeof call>[]) {
  return gasUsage.measure?.({ direction: "to" }, activity({ calls }), subject, undefined) ?? [];
}

describe("the gas_usage meter", () => {
  it("measures the gas used by each transaction to the contract", () => {
    const [reading, ...others] = measure(call(), call({ direction: "from" }));
    expect(reading).toMatchObject({ value: 21_000, evidence: { gas_used: 21_000n, gas_limit: 100_000n } });
    expect(others).toEqual([]);
  });

  it("skips transactions without a receipt or with an absurd one", () => {
    expect(measure(call({ receipt: null }))).toEqual([]);
    expect(measure(call({ receipt: { is_success: true, gas_used: 2n ** 2000n } }))).toEqual([]);
  });
});
