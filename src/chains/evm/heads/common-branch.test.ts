import { expect, test } from "vitest";
import { commonBranch } from "./common-branch.ts";

const ref = { height: 10, hash: "0x1", parent_hash: "0x0", time: 1 };
const shown = (...hashes: (string | undefined)[]) =>
  hashes.map((commonHash, endpoint) => ({ endpoint, ref, commonHash }));
const endpoints = (found: ReturnType<typeof commonBranch>) => found.agreed.map(({ endpoint }) => endpoint);

test("endpoints that show the same block are all believed", () => {
  expect(commonBranch(shown("a", "a", "a"), 0)).toMatchObject({ dissenting: [] });
});

test("of endpoints that differ, most are believed, whoever was followed before", () => {
  const found = commonBranch(shown("b", "a", "a"), 0);
  expect(endpoints(found)).toEqual([1, 2]);
  expect(found.dissenting).toEqual([0]);
});

test("of two that differ, the one that was followed is believed until others speak", () => {
  expect(endpoints(commonBranch(shown("a", "b"), 1))).toEqual([1]);
  expect(endpoints(commonBranch(shown("a", "b"), 0))).toEqual([0]);
  expect(endpoints(commonBranch(shown("a", "b"), undefined))).toEqual([0]);
});

test("an endpoint that cannot say is neither for nor against", () => {
  expect(commonBranch(shown("a", undefined), 0)).toMatchObject({ dissenting: [] });
  expect(endpoints(commonBranch(shown(undefined, "b", "a", "a"), 1))).toEqual([0, 2, 3]);
});
