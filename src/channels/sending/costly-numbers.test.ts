import { describe, expect, test } from "vitest";
import { isCostly } from "./costly-numbers.ts";

test.each([
  ["premium-rate in North America", "+19002345678"],
  ["premium-rate in the Netherlands", "+319001234"],
  ["premium-rate in the United Kingdom", "+449012345678"],
  ["a personal number of the United Kingdom", "+447012345678"],
  ["shared-cost in Germany", "+491371234567"],
  ["premium-rate in France", "+33891123456"],
  ["a satellite phone", "+881612345678"],
  ["an international network", "+88213300000"],
  ["international premium-rate", "+979123456789"],
  ["a premium-rate number that is too long", "+9791234567890"],
  ["a premium-rate number that is too short", "+49900123456"],
])("%s is costly", (_, phone) => {
  expect(isCostly(phone)).toBe(true);
});

test.each([
  "+14155550100",
  "+15005550006",
  "+491701234567",
  "+447911123456",
  "+31612345678",
  "+5511961234567",
])("the ordinary number %s is not costly", (phone) => {
  expect(isCostly(phone)).toBe(false);
});

describe("an allowed prefix", () => {
  test.each([
    ["+1900", "+19002345678"],
    ["+881", "+881612345678"],
    ["+8816", "+881612345678"],
    ["+4470", "+447012345678"],
    ["+19002345678", "+19002345678"],
  ])("%s of costly numbers only allows %s", (prefix, phone) => {
    expect(isCostly(phone, ["+49", prefix])).toBe(false);
  });

  test.each([
    ["+1", "+19002345678"],
    ["+44", "+447012345678"],
    ["+31", "+319001234"],
    ["+", "+881612345678"],
  ])("%s of ordinary numbers too does not allow %s", (prefix, phone) => {
    expect(isCostly(phone, [prefix])).toBe(true);
  });
});
