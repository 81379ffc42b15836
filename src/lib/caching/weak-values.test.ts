import { expect, test } from "vitest";
import { makeWeakValues } from "./weak-values.ts";

test("a value that is in use is found by its key, and by no other", () => {
  const values = makeWeakValues<object>();
  const held = [{ at: 1 }, { at: 2 }];
  for (const [index, one] of held.entries()) values.set(`key ${index}`, one);
  expect([values.get("key 0"), values.get("key 1"), values.get("key 2")]).toEqual([...held, undefined]);
  values.set("key 0", held[1] ?? {});
  expect(values.get("key 0")).toBe(held[1]);
});
