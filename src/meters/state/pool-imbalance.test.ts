import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  bob,
  contract,
  failed,
  hash,
  nothing,
  returned,
  start,
  subject,
} from "../../../test/meters/scripted-activity.ts";
import { poolImbalance } from "./pool-imbalance.ts";

function interpret(config: unknown, ...results: (typeof failed)[]) {
  return poolImbalance.interpret?.(poolImbalance.config.parse(config), results, subject, at(start));
}

function readsOf(config: unknown) {
  return poolImbalance.reads?.(poolImbalance.config.parse(config), subject) ?? [];
}

describe("the pool_imbalance meter on Uniswap V2", () => {
  const reserves = (a: bigint, b: bigint) => returned("uint112, uint112, uint32", a, b, 0);

  it("measures the share of the larger reserve", () => {
    expect(readsOf({ pool_kind: "uniswap_v2" })).toHaveLength(1);
    expect(interpret({ pool_kind: "uniswap_v2" }, reserves(1n, 3n))).toMatchObject({
      value: 0.75,
      evidence: { balances: [1n, 3n] },
    });
  });

  it("scales the reserves by the decimals of the assets", () => {
    const config = { pool_kind: "uniswap_v2", decimals: [6, 18] };
    expect(interpret(config, reserves(10n ** 6n, 10n ** 18n))).toMatchObject({ value: 0.5 });
    expect(interpret({ ...config, decimals: [1, 2, 3] }, reserves(1n, 1n))).toHaveProperty("problem");
  });

  it("reports a problem if the pool is empty or cannot be read", () => {
    expect(interpret({ pool_kind: "uniswap_v2" }, reserves(0n, 0n))).toHaveProperty("problem");
    expect(interpret({ pool_kind: "uniswap_v2" }, failed)).toHaveProperty("problem");
  });
});

describe("the pool_imbalance meter on Curve", () => {
  const balance = (amount: bigint) => returned("uint256", amount);
  const config = { pool_kind: "curve", coins: 3 };

  it("reads pools with uint256 and with int128 indexes", () => {
    expect(readsOf(config)).toHaveLength(6);
    const later = [balance(1n), failed, balance(1n), nothing, balance(8n), failed];
    const first = [failed, balance(1n), nothing, balance(1n), failed, balance(8n)];
    expect(interpret(config, ...later)).toMatchObject({ value: 0.8 });
    expect(interpret(config, ...first)).toMatchObject({ value: 0.8 });
  });

  it("reports a problem if one asset cannot be read", () => {
    const results = [balance(1n), failed, failed, failed, balance(8n), failed];
    expect(interpret(config, ...results)).toHaveProperty("problem");
  });
});

describe("the pool_imbalance meter on Balancer", () => {
  const config = { pool_kind: "balancer", pool_id: hash(5) };
  const tokens = (addresses: string[], balances: bigint[]) =>
    returned("address[], uint256[], uint256", addresses, balances, 1n);

  it("ignores the pool's own token", () => {
    expect(readsOf(config)).toHaveLength(1);
    const result = tokens([alice, contract, bob], [1n, 10n ** 30n, 3n]);
    expect(interpret(config, result)).toMatchObject({ value: 0.75 });
  });

  it("reports a problem if the result is inconsistent", () => {
    expect(interpret(config, tokens([alice], [1n, 2n]))).toHaveProperty("problem");
    expect(interpret(config, nothing)).toHaveProperty("problem");
  });

  it("requires a valid pool_id", () => {
    expect(poolImbalance.config.safeParse({ pool_kind: "balancer" }).success).toBe(false);
    expect(poolImbalance.config.safeParse({ pool_kind: "balancer", pool_id: "0x12" }).success).toBe(false);
  });
});
