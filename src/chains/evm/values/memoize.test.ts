import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("what comes up again is not made again, and what does not is let go", () => {
  const made: string[] = [];
  const lengthOf = memoize(2, (text) => {
    made.push(text);
    return text.length;
  });
  const asked = ["a", "bb", "a", "ccc", "a", "bb", "dddd", "a"];
  expect(asked.map(lengthOf)).toEqual([1, 2, 1, 3, 1, 2, 4, 1]);
  expect(made).toEqual(["a", "bb", "ccc", "dddd"]);
  ["e", "f", "g", "h", "i"].map(lengthOf);
  lengthOf("a");
  expect(made.filter((text) => text === "a")).toHaveLength(2);
});

test("what could not be made is tried again", () => {
  let tries = 0;
  const read = memoize(2, () => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return tries;
  });
  expect(() => read("a")).toThrow("not yet");
  expect([read("a"), read("a")]).toEqual([2, 2]);
});
