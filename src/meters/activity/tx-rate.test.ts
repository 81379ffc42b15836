import { describe, expect, it } from "vitest";
import { activity, bob, call, contract, hash, subject } from "../../../test/meters/scripted-activity.ts";
import { txRate } from "./tx-rate.ts";

const calls = [
  call({ tx_hash: hash(1) }),
  call({ tx_hash: hash(2), receipt: { is_success: false, gas_used: 1n } }),
  call({ tx_hash: hash(3), direction: "from", from: contract, to: bob }),
];

function hashes(config: unknown) {
  const readings =
    txRate.measure?.(txRate.config.parse(config), activity({ calls }), subject, undefined) ?? [];
  return readings.map(({ tx_hash }) => tx_hash);
}

describe("the tx_rate meter", () => {
  it("counts transactions to the contract unless another direction is set", () => {
    expect(hashes({})).toEqual([hash(1), hash(2)]);
    expect(hashes({ direction: "from" })).toEqual([hash(3)]);
    expect(hashes({ direction: "any" })).toEqual([hash(1), hash(2), hash(3)]);
  });

  it("counts a transaction of the contract to itself once, in every direction", () => {
    const toItself = [call({ tx_hash: hash(4), from: contract, to: contract })];
    for (const direction of ["to", "from", "any"]) {
      const config = txRate.config.parse({ direction });
      expect(txRate.measure?.(config, activity({ calls: toItself }), subject, undefined)).toHaveLength(1);
    }
  });

  it("skips failed transactions if include_failed is false", () => {
    expect(hashes({ include_failed: false })).toEqual([hash(1)]);
  });
});
