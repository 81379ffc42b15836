import { describe, expect, it } from "vitest";
import { alice, at, failed, feedAnswers, start, subject } from "../../../test/meters/scripted-activity.ts";
import { oracleDeviation } from "./oracle-deviation.ts";

function interpret(config: unknown, results: ReturnType<typeof feedAnswers>) {
  return oracleDeviation.interpret?.(oracleDeviation.config.parse(config), results, subject, at(start));
}

describe("the oracle_deviation meter", () => {
  it("measures the absolute deviation from a value in percent", () => {
    expect(interpret({ reference_value: 1 }, feedAnswers(102_000_000n, 8))).toMatchObject({
      value: expect.closeTo(2),
    });
    const below = interpret({ reference_value: 1 }, feedAnswers(97_000_000n, 8));
    expect(below).toMatchObject({ value: expect.closeTo(3), evidence: { percent: expect.closeTo(-3) } });
  });

  it("scales the reference feed by its own decimals", () => {
    const config = { reference_feed: alice };
    expect(oracleDeviation.reads?.(config, subject)).toHaveLength(4);
    const results = [...feedAnswers(110n, 2), ...feedAnswers(10n ** 18n, 18)];
    expect(interpret(config, results)).toMatchObject({
      value: expect.closeTo(10),
      evidence: { reference: 1 },
    });
  });

  it("reports a problem if either feed has no price", () => {
    const config = { reference_feed: alice };
    expect(interpret(config, [...feedAnswers(1n, 0), failed, failed])).toHaveProperty("problem");
    expect(interpret(config, [...feedAnswers(1n, 0), ...feedAnswers(0n, 0)])).toHaveProperty("problem");
  });

  it("requires exactly one reference", () => {
    const accepts = (config: unknown) => oracleDeviation.config.safeParse(config).success;
    expect(accepts({})).toBe(false);
    expect(accepts({ reference_feed: alice, reference_value: 1 })).toBe(false);
    expect(accepts({ reference_value: 0 })).toBe(false);
  });
});
