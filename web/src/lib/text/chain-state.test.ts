import { expect, test } from "vitest";
import { chainStateText } from "./chain-state.ts";

test.each([
  ["starting", { state: "off", status_reason: null }],
  ["off", { state: "off", status_reason: "No node is configured." }],
  ["live", { state: "live", status_reason: null }],
] as const)("a chain is shown as %s in the state %o", (text, chain) => {
  expect(chainStateText(chain)).toBe(text);
});
