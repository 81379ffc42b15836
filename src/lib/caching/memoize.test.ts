import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("a memoized function computes each text once, until the text is evicted as the least recently used", () => {
  const computed: string[] = [];
  const lengthOf = memoize(2, (text) => {
    computed.push(text);
    return text.length;
  });
  expect(["a", "bb", "a", "bb"].map(lengthOf)).toEqual([1, 2, 1, 2]);
  expect(computed).toEqual(["a", "bb"]);
  lengthOf("a");
  lengthOf("ccc");
  expect(["a", "bb"].map(lengthOf)).toEqual([1, 2]);
  expect(computed).toEqual(["a", "bb", "ccc", "bb"]);
});

test("a memoized function that throws is called again", () => {
  let calls = 0;
  const compute = memoize(2, () => {
    calls += 1;
    if (calls === 1) throw new Error("not yet");
    return calls;
  });
  expect(() => compute("a")).toThrow("not yet");
  expect([compute("a"), compute("a")]).toEqual([2, 2]);
});

test("a memoized function that returns undefined is called again", () => {
  const results = [undefined, 1];
  const compute = memoize(2, () => results.shift());
  expect([compute("a"), compute("a"), compute("a")]).toEqual([undefined, 1, 1]);
});
