import fc from "fast-check";
import { expect, test } from "vitest";
import { clickables, hostileText, unsafeCharacters } from "../../../test/channels/hostile.ts";
import { cut, oneLine, unlinked } from "./plain-text.ts";

test("oneLine removes line breaks, direction changes and invisible characters", () => {
  expect(oneLine(" a\r\n\tb\u2028c\u202ed\u200be\u0000f\ufeff ", 100)).toBe("a b cde f");
  expect(oneLine("\u115f\u3164\u2800\u{e0041}x\u034f", 100)).toBe("x");
  expect(oneLine("\ud800x", 100)).toBe("\ufffdx");
});

test("cut shortens text that is too long, never inside an escape or a surrogate pair", () => {
  expect(cut("abc", 3)).toBe("abc");
  expect(cut("abcd", 3)).toBe("ab…");
  expect(cut("a𝕏b", 3)).toBe("a…");
  expect(cut("a&b", 6, (character) => (character === "&" ? "&amp;" : character))).toBe("a…");
  expect(cut("a&b", 7, (character) => (character === "&" ? "&amp;" : character))).toBe("a&amp;b");
  expect(cut("abc", 0)).toBe("");
  fc.assert(
    fc.property(hostileText, fc.nat(60), (text, max) => {
      const line = cut(oneLine(text, 1000), max, (character) => `<${character}>`);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).toMatch(/^(<.{1,2}>)*…?$/su);
      expect(line.isWellFormed()).toBe(true);
    }),
  );
});

test.each([
  ["https://evil.example/x", "https:\u2060//evil.\u2060example/x"],
  ["ann@example.org", "ann@\u2060example.\u2060org"],
  ["@everyone", "@\u2060everyone"],
  ["10.0.0.1", "10.0.\u20600.\u20601"],
  ["USDC.e", "USDC.\u2060e"],
  ["evil\u2024example", "evil\u2024\u2060example"],
  ["tel:+1900", "tel:\u2060+1900"],
  ["total: 5, env:prod", "total: 5, env:prod"],
  ["1.5 ETH at 12:30, v2.", "1.5 ETH at 12:30, v2."],
])("unlinked breaks up %j without a visible change", (text, expected) => {
  expect(unlinked(text)).toBe(expected);
});

test("unlinked text contains nothing clickable", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const line = unlinked(oneLine(text, 1000));
      expect([...clickables(line), ...unsafeCharacters(line)]).toEqual([]);
      expect(unlinked(line).replaceAll("\u2060", "")).toBe(oneLine(text, 1000));
    }),
  );
});
