import { expect, test } from "vitest";
import { firstSentence } from "./first-sentence.ts";

test.each([
  ["Transfers into the contract. On Solana, also others.", "Transfers into the contract."],
  ["The price of 1.5 tokens. More.", "The price of 1.5 tokens."],
  ["No end", "No end"],
  ["", ""],
])("the first sentence of %j is %j", (text, expected) => {
  expect(firstSentence(text)).toBe(expected);
});
