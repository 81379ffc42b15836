import { describe, expect, test } from "vitest";
import { sampleAlert, sampleMessage } from "../../../test/channels/sample.ts";
import type { Message } from "../channel.ts";
import { comparison, factsOf, webLink } from "./facts.ts";
import { duration, headline, sentence } from "./headline.ts";

const later = (seconds: number) => new Date(sampleAlert().fired_at.getTime() + seconds * 1000);

describe("a headline", () => {
  test.each([
    ["fired", "Critical: Large withdrawals: Treasury on Ethereum"],
    ["renotified", "Still critical: Large withdrawals: Treasury on Ethereum"],
    ["escalated", "Critical, not acknowledged: Large withdrawals: Treasury on Ethereum"],
    ["acknowledged", "Acknowledged: Large withdrawals: Treasury on Ethereum"],
    ["resolved", "Resolved: Large withdrawals: Treasury on Ethereum"],
    ["retracted", "Retracted: Large withdrawals: Treasury on Ethereum"],
    ["test", "Test: Large withdrawals: Treasury on Ethereum"],
  ] as const)("of a %s message starts with its kind", (kind, expected) => {
    expect(headline(sampleMessage({ kind }))).toBe(expected);
  });

  test("of several alerts has their number and the chain that they share", () => {
    const other = sampleAlert({ chain: { chain: "base", name: "Base", chain_id: 8453 } });
    const two: Message["alerts"] = [sampleAlert(), sampleAlert()];
    expect(headline(sampleMessage({ alerts: two }))).toBe("Critical: 2 alerts on Ethereum");
    expect(headline(sampleMessage({ alerts: [...two, other] }))).toBe("Critical: 3 alerts");
  });
});

describe("the sentence", () => {
  test.each([
    ["fired", /^Three withdrawals left the treasury within 5 minutes\.$/],
    ["renotified", /^Ongoing for 2 h 5 min\. Three withdrawals/],
    ["escalated", /^Nobody has acknowledged this for 2 h 5 min\. Three withdrawals/],
    ["acknowledged", /^Acknowledged by Ann\. Three withdrawals/],
    ["resolved", /^Resolved after 1 h\. Three withdrawals/],
    ["retracted", /^Retracted: a chain reorganisation removed the block\. Original alert: Three/],
    ["test", /^This is a test alert; no action is needed\. Three/],
  ] as const)("of a %s message describes what happened", (kind, expected) => {
    const alert = sampleAlert({ acknowledged_by: "Ann", resolved_at: later(3600) });
    expect(sentence({ kind, at: later(7500) }, alert)).toMatch(expected);
  });

  test("formats a duration in its two largest units", () => {
    const spans = [0, 1, 59, 61, 3600, 3725, 90_000, 900_000].map((seconds) =>
      duration(later(0), later(seconds)),
    );
    expect(spans).toEqual(["0 s", "1 s", "59 s", "1 min 1 s", "1 h", "1 h 2 min", "1 d 1 h", "10 d 10 h"]);
    expect(duration(later(10), later(0))).toBe("0 s");
  });
});

describe("the facts", () => {
  test("of an alert are value, contract, chain, decoded call, transaction, block, rule and time", () => {
    expect(factsOf(sampleAlert()).map(({ name, value }) => `${name}: ${value}`)).toEqual([
      "Measured: 3 events, at least 3",
      "Contract: Treasury (0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48)",
      "Chain: Ethereum (1)",
      "Call or event: Withdrawal(to: 0x000000000000000000000000000000000000dEaD, amount: 1,500 USDC)",
      "Transaction: 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
      "Block: 23812345 (may still be reorganised)",
      "Rule: Large withdrawals",
      "Since: 2026-11-15 03:00:00 UTC",
    ]);
  });

  test("leave out unknown values", () => {
    const little = { rule: null, contract: null, decoded: null, transaction: null, block_number: null };
    const names = factsOf(sampleAlert({ ...little, clause: null, value: null })).map(({ name }) => name);
    expect(names).toEqual(["Chain", "Since"]);
  });

  test("describe the comparison when there is no clause", () => {
    const bare = { clause: null, value: 1234.5, threshold: 1000 };
    expect(comparison(sampleAlert({ ...bare, operator: "gt", unit: "ETH" }))).toBe(
      "1,234.5 ETH, above 1,000",
    );
    expect(comparison(sampleAlert({ ...bare, operator: "anomaly", unit: null }))).toBe(
      "1,234.5, threshold 1,000",
    );
    expect(comparison(sampleAlert({ ...bare, threshold: null, unit: "ETH" }))).toBe("1,234.5 ETH");
    expect(comparison(sampleAlert({ clause: null, value: 1e-9, threshold: null, unit: null }))).toBe(
      "0.000000001",
    );
  });

  test("count the arguments that are not shown", () => {
    const args = Array.from({ length: 15 }, (_, index) => ({ name: `a${index}`, value: "1" }));
    const decoded = factsOf(sampleAlert({ decoded: { name: "f", args } })).find(({ value }) =>
      value.startsWith("f("),
    );
    expect(decoded?.value).toMatch(/a11: 1, and 3 more\)$/);
  });
});

test("a link is an http or https URL without characters that markup interprets", () => {
  expect(webLink("https://example.com/a?b=1&c=2")).toBe("https://example.com/a?b=1&c=2");
  expect(webLink('https://example.com/a|b)c"d<e>f*g')).toBe("https://example.com/a%7Cb%29c%22d%3Ce%3Ef%2Ag");
  for (const text of [
    null,
    "",
    "javascript:alert(1)",
    "https://a:b@example.com/",
    `https://e.com/${"a".repeat(500)}`,
  ]) {
    expect(webLink(text)).toBeNull();
  }
});
