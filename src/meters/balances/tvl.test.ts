import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  bob,
  contract,
  failed,
  feedAnswers,
  returned,
  start,
  subject,
  token,
  word,
} from "../../../test/meters/scripted-activity.ts";
import { tvl } from "./tvl.ts";

const config = tvl.config.parse({
  tokens: [
    { token: "native", price_feed: alice },
    { token, price: 1 },
    { token: bob, price_feed: alice, decimals: 18 },
  ],
});

const results = [
  word(parseEther("2")),
  ...feedAnswers(3000n * 10n ** 8n, 8),
  returned("uint256", 5_000_000n),
  returned("uint8", 6),
  returned("uint256", parseEther("0.5")),
  ...feedAnswers(100n, 1),
];

describe("the tvl meter", () => {
  it("is the sum of the balances multiplied by their prices", () => {
    expect(tvl.reads?.(config, subject)).toHaveLength(results.length);
    expect(tvl.interpret?.(config, results, subject, at(start))).toMatchObject({
      value: 6000 + 5 + 5,
      evidence: {
        assets: [
          { token: "native", balance: parseEther("2"), price: 3000, worth: 6000 },
          { token, balance: 5_000_000n, decimals: 6, worth: 5 },
          { token: bob, worth: 5 },
        ],
      },
    });
  });

  it("reads the balances of the configured holder", () => {
    const [read] = tvl.reads?.({ ...config, holder: alice }, subject) ?? [];
    expect(read).toEqual({ kind: "balance", address: alice });
    expect(tvl.reads?.(config, subject)[0]).toEqual({ kind: "balance", address: contract });
  });

  it.each(results.map((_, index) => index))(
    "reports a problem if read %i fails, instead of a value that is too low",
    (index) => {
      const broken = results.with(index, failed);
      expect(tvl.interpret?.(config, broken, subject, at(start))).toHaveProperty("problem");
    },
  );

  it("requires exactly one price for each token", () => {
    const accepts = (tokens: unknown) => tvl.config.safeParse({ tokens }).success;
    expect(accepts([])).toBe(false);
    expect(accepts([{ token }])).toBe(false);
    expect(accepts([{ token, price: 1, price_feed: alice }])).toBe(false);
    expect(accepts([{ token: "ether", price: 1 }])).toBe(false);
    expect(accepts([{ token, price: 0 }])).toBe(true);
  });
});
