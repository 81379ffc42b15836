import { describe, expect, it } from "vitest";
import {
  at,
  contract,
  failed,
  feedAnswers,
  nothing,
  returned,
  start,
  subject,
  token,
} from "../../../test/meters/scripted-activity.ts";
import { oraclePrice } from "./oracle-price.ts";

function interpret(results: ReturnType<typeof feedAnswers>, config = {}) {
  return oraclePrice.interpret?.(config, results, subject, at(start));
}

describe("the oracle_price meter", () => {
  it("measures the latest answer, scaled by the decimals of the feed", () => {
    expect(interpret(feedAnswers(350_012_345_678n, 8))).toMatchObject({
      value: 3500.12345678,
      evidence: { feed: contract, answer: 350_012_345_678n, decimals: 8, round_id: 7n, updated_at: start },
    });
  });

  it("reads the configured feed", () => {
    const reads = oraclePrice.reads?.({ feed: token }, subject);
    expect(reads).toMatchObject([
      { to: token, data: "0xfeaf968c" },
      { to: token, data: "0x313ce567" },
      { to: token, data: "0x7284e416" },
      { to: token, data: "0x245a7bfc" },
    ]);
    expect(interpret(feedAnswers(1n, 0), { feed: token })).toMatchObject({ evidence: { feed: token } });
  });

  it("measures an invalid price like any other, so that a rule can alert", () => {
    expect(interpret(feedAnswers(0n, 8))).toMatchObject({ value: 0 });
    expect(interpret(feedAnswers(-5n * 10n ** 8n, 8))).toMatchObject({ value: -5 });
  });

  it.each([
    ["a round that is not complete", feedAnswers(5n, 8, 0)],
    ["a failed read", [failed, failed]],
    ["no feed at the address", [nothing, nothing]],
    ["too few words", [returned("uint256, int256", 1n, 5n), returned("uint8", 8)]],
    ["absurd decimals", [...feedAnswers(5n, 8).slice(0, 1), returned("uint256", 400n)]],
  ])("reports a problem for %s", (_, results) => {
    expect(interpret(results)).toHaveProperty("problem");
  });
});
