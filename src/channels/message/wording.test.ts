import { describe, expect, test } from "vitest";
import { sampleAlarm, sampleMessage } from "../../../test/channels/sample.ts";
import type { Message } from "../channel.ts";
import { comparison, factsOf, webLink } from "./facts.ts";
import { duration, headline, sentence } from "./headline.ts";

const later = (seconds: number) => new Date(sampleAlarm().fired_at.getTime() + seconds * 1000);

describe("a headline", () => {
  test.each([
    ["fired", "Critical: Large withdrawals: Treasury on Ethereum"],
    ["renotified", "Still critical: Large withdrawals: Treasury on Ethereum"],
    ["acknowledged", "Acknowledged: Large withdrawals: Treasury on Ethereum"],
    ["resolved", "Resolved: Large withdrawals: Treasury on Ethereum"],
    ["retracted", "Retracted: Large withdrawals: Treasury on Ethereum"],
    ["test", "Test: Large withdrawals: Treasury on Ethereum"],
  ] as const)("of %s says so first", (kind, expected) => {
    expect(headline(sampleMessage({ kind }))).toBe(expected);
  });

  test("of several counts them, and names the chain that they share", () => {
    const other = sampleAlarm({ chain: { chain: "base", name: "Base", chain_id: 8453 } });
    const two: Message["alerts"] = [sampleAlarm(), sampleAlarm()];
    expect(headline(sampleMessage({ alerts: two }))).toBe("Critical: 2 alarms on Ethereum");
    expect(headline(sampleMessage({ alerts: [...two, other] }))).toBe("Critical: 3 alarms");
  });
});

describe("the sentence", () => {
  test.each([
    ["fired", /^Three withdrawals left the treasury within 5 minutes\.$/],
    ["renotified", /^It has gone on for 2 h 5 min\. Three withdrawals/],
    ["acknowledged", /^Ann is seeing to it\. Three withdrawals/],
    ["resolved", /^It is over after 1 h\. It was: Three withdrawals/],
    ["retracted", /^The chain reorganised; this did not happen\. What was said before: Three/],
    ["test", /^This is a test; nothing is wrong\. Three/],
  ] as const)("of %s says what it means", (kind, expected) => {
    const alert = sampleAlarm({ acknowledged_by: "Ann", resolved_at: later(3600) });
    expect(sentence({ kind, at: later(7500) }, alert)).toMatch(expected);
  });

  test("tells a span in its two largest units", () => {
    const spans = [0, 1, 59, 61, 3600, 3725, 90_000, 900_000].map((seconds) =>
      duration(later(0), later(seconds)),
    );
    expect(spans).toEqual(["0 s", "1 s", "59 s", "1 min 1 s", "1 h", "1 h 2 min", "1 d 1 h", "10 d 10 h"]);
    expect(duration(later(10), later(0))).toBe("0 s");
  });
});

describe("the facts", () => {
  test("are value, contract, chain, decoded call, transaction, block, rule and time", () => {
    expect(factsOf(sampleAlarm()).map(({ name, value }) => `${name}: ${value}`)).toEqual([
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

  test("leave out what is not known", () => {
    const little = { rule: null, contract: null, decoded: null, transaction: null, block_number: null };
    const names = factsOf(sampleAlarm({ ...little, clause: null, value: null })).map(({ name }) => name);
    expect(names).toEqual(["Chain", "Since"]);
  });

  test("compare in words where no clause was given", () => {
    const bare = { clause: null, value: 1234.5, threshold: 1000 };
    expect(comparison(sampleAlarm({ ...bare, operator: "gt", unit: "ETH" }))).toBe(
      "1,234.5 ETH, above 1,000",
    );
    expect(comparison(sampleAlarm({ ...bare, operator: "anomaly", unit: null }))).toBe(
      "1,234.5, threshold 1,000",
    );
    expect(comparison(sampleAlarm({ ...bare, threshold: null, unit: "ETH" }))).toBe("1,234.5 ETH");
    expect(comparison(sampleAlarm({ clause: null, value: 1e-9, threshold: null, unit: null }))).toBe(
      "0.000000001",
    );
  });

  test("count the arguments that they do not show", () => {
    const args = Array.from({ length: 15 }, (_, index) => ({ name: `a${index}`, value: "1" }));
    const decoded = factsOf(sampleAlarm({ decoded: { name: "f", args } })).find(({ value }) =>
      value.startsWith("f("),
    );
    expect(decoded?.value).toMatch(/a11: 1, and 3 more\)$/);
  });
});

test("a link leads to the web, and holds no sign that markup reads", () => {
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
