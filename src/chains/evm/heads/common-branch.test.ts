import { expect, test } from "vitest";
import { commonBranch } from "./common-branch.ts";

const ref = { height: 10, hash: "0x1", parent_hash: "0x0", time: 1 };
const heads = (...hashes: (string | undefined)[]) =>
  hashes.map((commonHash, endpoint) => ({ endpoint, ref, commonHash }));
const endpoints = (found: ReturnType<typeof commonBranch>) => found.agreed.map(({ endpoint }) => endpoint);

test("endpoints with the same common block all agree", () => {
  expect(commonBranch(heads("a", "a", "a"), 0)).toMatchObject({ dissenting: [] });
});

test("the majority of endpoints wins, even over the endpoint that was followed", () => {
  const found = commonBranch(heads("b", "a", "a"), 0);
  expect(endpoints(found)).toEqual([1, 2]);
  expect(found.dissenting).toEqual([0]);
});

test("of two endpoints that differ, the followed one wins", () => {
  expect(endpoints(commonBranch(heads("a", "b"), 1))).toEqual([1]);
  expect(endpoints(commonBranch(heads("a", "b"), 0))).toEqual([0]);
  expect(endpoints(commonBranch(heads("a", "b"), undefined))).toEqual([0]);
});

test("an endpoint without the common block counts as agreed and does not vote", () => {
  expect(commonBranch(heads("a", undefined), 0)).toMatchObject({ dissenting: [] });
  expect(endpoints(commonBranch(heads(undefined, "b", "a", "a"), 1))).toEqual([0, 2, 3]);
});
