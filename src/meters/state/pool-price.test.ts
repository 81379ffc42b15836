import { describe, expect, it } from "vitest";
import { at, failed, returned, start, subject } from "../../../test/meters/scripted-activity.ts";
import { poolPrice } from "./pool-price.ts";

function interpret(config: unknown, ...results: (typeof failed)[]) {
  return poolPrice.interpret?.(poolPrice.config.parse(config), results, subject, at(start));
}

describe("the pool_price meter", () => {
  const reserves = (a: bigint, b: bigint) => returned("uint112, uint112, uint32", a, b, 0);

  it("measures the ratio of the reserves of a Uniswap V2 pair, scaled by the decimals", () => {
    const config = { pool_kind: "uniswap_v2", decimals: [18, 6] };
    expect(interpret(config, reserves(10n * 10n ** 18n, 25_000n * 10n ** 6n))).toMatchObject({ value: 2500 });
  });

  it("measures the current price of a Uniswap V3 pool, of which the pool stores the square root", () => {
    const config = { pool_kind: "uniswap_v3", decimals: [18, 18] };
    const slot0 = returned("uint160, int24", 2n * 2n ** 96n, 0);
    expect(interpret(config, slot0)).toMatchObject({ value: 4 });
  });

  it("reports a problem for an empty pool and a failed read", () => {
    expect(interpret({ pool_kind: "uniswap_v2" }, reserves(0n, 5n))).toHaveProperty("problem");
    expect(interpret({ pool_kind: "uniswap_v3" }, returned("uint160, int24", 0n, 0))).toHaveProperty(
      "problem",
    );
    expect(interpret({ pool_kind: "uniswap_v2" }, failed)).toHaveProperty("problem");
  });
});
