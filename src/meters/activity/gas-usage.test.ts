import { describe, expect, it } from "vitest";
import { activity, call, subject } from "../../../test/meters/scripted-activity.ts";
import { gasUsage } from "./gas-usage.ts";

function measure(...calls: ReturnType<typeof call>[]) {
  return gasUsage.measure?.({}, activity({ calls }), subject, undefined) ?? [];
}

describe("gas usage", () => {
  it("is the gas of each transaction to the contract", () => {
    const [reading, ...others] = measure(call(), call({ direction: "from" }));
    expect(reading).toMatchObject({ value: 21_000, evidence: { gas_used: 21_000n, gas_limit: 100_000n } });
    expect(others).toEqual([]);
  });

  it("leaves out what has no receipt, or an absurd one", () => {
    expect(measure(call({ receipt: null }))).toEqual([]);
    expect(measure(call({ receipt: { is_success: true, gas_used: 2n ** 2000n } }))).toEqual([]);
  });
});
