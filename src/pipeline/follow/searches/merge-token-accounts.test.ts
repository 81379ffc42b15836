import { expect, test } from "vitest";
import { mergeTokenAccounts } from "./merge-token-accounts.ts";

const account = (name: string, since?: number) => ({ account: name, mint: "mint", since });
const merge = (known: string[], chosen: string[], goneSince: number, tokens = ["mint"], searched = tokens) =>
  mergeTokenAccounts(
    {
      tokens,
      searched,
      known: known.map((name) => account(name, 5)),
      chosen: chosen.map((name) => account(name)),
    },
    { searchedTo: () => 70, goneSince: () => goneSince },
    { height: 80, time: 10_000 },
  ).map(({ account: name, since }) => [name, since]);

test("an account that a search finds counts from the search before on, and one that is followed keeps its height", () => {
  expect(merge(["a"], ["b", "a"], 10_000)).toEqual([
    ["a", 5],
    ["b", 70],
  ]);
});

test("an account that was closed or emptied is followed for another hour", () => {
  expect(merge(["a", "b"], ["b"], 6_401)).toEqual([
    ["a", 5],
    ["b", 5],
  ]);
  expect(merge(["a", "b"], ["b"], 6_400)).toEqual([["b", 5]]);
});

test("accounts of a token that is not measured any more are not followed", () => {
  expect(merge(["a"], [], 10_000, [])).toEqual([]);
});

test("accounts of a token that could not be searched are followed for longer than an hour", () => {
  expect(merge(["a"], [], 6_400, ["mint"], [])).toEqual([["a", 5]]);
});

test("of accounts that were closed, the twenty newest are followed", () => {
  const closed = Array.from({ length: 30 }, (_, index) => `closed ${index}`);
  expect(merge(closed, [], 10_000)).toHaveLength(20);
});
