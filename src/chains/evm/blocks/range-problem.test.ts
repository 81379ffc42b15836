import { describe, expect, it } from "vitest";
import { isRangeProblem, narrowRange } from "./range-problem.ts";

describe("a rejected log range", () => {
  it.each([
    ["requested too many blocks from 1 to 5000, maximum is set to 2048", 5000, 2047],
    ["Max range: 800", 5000, 799],
    ["Maximum allowed number of requested blocks is 1000", 5000, 1000],
    ["query returned more than 10000 results. Try with this block range [0x64, 0x95].", 5000, 50],
    ["Log response size exceeded. this block range should work: [0x0, 0x9]", 5000, 10],
    ["eth_getLogs is limited to a 10,000 range", 50_000, 10_000],
    ["eth_getLogs is limited to 1024 block range", 5000, 1024],
    ["exceeds the range allowed for your plan (5000 > 100)", 5000, 100],
    ["please limit the query to at most 1000 blocks", 5000, 999],
    ["exceed maximum block range: 50000", 60_000, 50_000],
    ["query exceeds max block range 50", 5000, 50],
    ["block range greater than 2000 max", 5000, 2000],
    ["block range exceeds 1,000", 5000, 1000],
    ["eth_getLogs range is too large, max is 1k blocks", 5000, 1000],
    ["query must be smaller than size 1024", 5000, 1023],
    ["block range is too wide (maximum 1024)", 5000, 1024],
    ["You can make eth_getLogs requests with up to a 500 block range", 5000, 500],
    ["maximum [from, to] blocks distance: 3000", 5000, 3000],
    ["backend response too large", 5000, 2500],
    ["query exceeds max results 20000", 100, 50],
    ["logs matched by query exceeds limit of 10000", 3, 1],
    ["ranges over 10000 blocks are not supported on freetier", 20_001, 10_000],
    ["Block range limit exceeded.", 100, 50],
    ["block range is too wide", 100, 50],
  ])("with %j is narrowed from %d to %d blocks", (text, span, narrowed) => {
    expect(isRangeProblem(text)).toBe(true);
    expect(narrowRange(text, span)).toBe(narrowed);
  });

  it("always gets narrower, even if the node suggests a wider one", () => {
    expect(narrowRange("Max range: 9000", 100)).toBe(50);
    expect(narrowRange("Max range: 0", 100)).toBe(50);
    expect(narrowRange("block range exceeds 0", 2)).toBe(1);
  });
});
