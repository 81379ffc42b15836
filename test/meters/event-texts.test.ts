import { describe, expect, it } from "vitest";
import { meters } from "../../src/meters/index.ts";
import type { Occasion } from "../../src/meters/meter.ts";
import { briefWords, type Names, noNames } from "../../src/meters/words.ts";
import { type Example, examples } from "./event-examples.ts";
import { occurred } from "./example-reading.ts";
import { alice, bob, contract, solanaSubject, subject, token } from "./scripted-activity.ts";

function textOf(example: Example, names: Names = noNames) {
  const { meter, config, reading, previous } = occurred(example);
  const { aggregation = "count", window_seconds = 300 } = example;
  const occasion: Occasion = {
    reading,
    previous,
    value: reading.value,
    aggregation,
    window_seconds,
    isEach: false,
    words: briefWords(names),
  };
  return meter.describe?.(config, occasion, example.subject ?? subject);
}

describe("the text of an event", () => {
  it.each(examples.map(([example, expected]) => [example.type, expected, example] as const))(
    "of %s reads: %s",
    (_, expected, example) => {
      expect(textOf(example)).toBe(expected);
    },
  );

  it.each(examples.map(([example, expected]) => [example.type, expected, example] as const))(
    "of %s names contracts of the org: %s",
    (_, expected, example) => {
      const addresses = [alice, bob, contract, token, solanaSubject.address];
      const names = new Map(addresses.map((address) => [address, "Known"]));
      const short = /(0x7099…79C8|0x3C44…93BC|0xd8dA…6045|0xA0b8…eB48|Toke…Q5DA)/g;
      expect(textOf(example, names)).toBe(expected.replace(short, "Known ($1)"));
    },
  );

  it("has an example for every target type", () => {
    const shown = new Set(examples.map(([{ type }]) => type));
    expect(meters.map(({ type }) => type).filter((type) => !shown.has(type))).toEqual([]);
  });
});
