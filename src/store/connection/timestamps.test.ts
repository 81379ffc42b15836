import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { parseTimestamp } from "./timestamps.ts";

const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => unknown;

test("times are read as the driver reads them", () => {
  const day = fc.date({
    min: new Date("0001-01-01"),
    max: new Date("9999-12-31T23:59:59"),
    noInvalidDate: true,
  });
  const fraction = fc.option(fc.stringMatching(/^\.\d{1,6}$/), { nil: "" });
  const zone = fc.constantFrom("+00", "+02", "-07", "+05:30", "+00 BC");
  fc.assert(
    fc.property(day, fraction, zone, (date, digits, offset) => {
      const text = `${date.toISOString().slice(0, 19).replace("T", " ")}${digits}${offset}`;
      expect(parseTimestamp(text)).toEqual(parseAny(text));
    }),
  );
});

test.each(["infinity", "-infinity", "10000-01-02 03:04:05+00", "20260-11-19 10:54:00.5+00"])(
  "%s is read as the driver reads it",
  (text) => {
    expect(parseTimestamp(text)).toEqual(parseAny(text));
  },
);
