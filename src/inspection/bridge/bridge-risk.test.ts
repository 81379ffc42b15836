import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReceiveSide, scoreRoute } from "./bridge-risk.ts";

const layerZeroLabs = "0x589dEDbD617e0CBcB916A9223F4d1300c294236b";
const nethermind = "0xa59BA433ac34D2927232918Ef5B2eaAfcF130BA5";
const horizen = "0x380275805876Ff19055EA900CDb2B46a94ecF20D";
const dead = "0x747C741496a507E4B404b50463e691A8d692f6Ac";

const side = (more: Partial<ReceiveSide> = {}): ReceiveSide => ({
  chain: "ethereum",
  is_open: true,
  is_known_library: true,
  has_grace_period: false,
  confirmations: "15",
  required_dvns: [layerZeroLabs, nethermind, horizen],
  optional_dvns: [],
  optional_threshold: 0,
  is_default_config: false,
  is_changed_by_eoa: false,
  ...more,
});

test.each([
  ["three operators", {}, "low"],
  ["two operators", { required_dvns: [layerZeroLabs, nethermind] }, "medium"],
  ["one verifier", { required_dvns: [layerZeroLabs] }, "critical"],
  [
    "the same verifier twice",
    { required_dvns: [layerZeroLabs], optional_dvns: [layerZeroLabs], optional_threshold: 1 },
    "critical",
  ],
  ["no confirmations", { confirmations: "0" }, "high"],
  ["an unknown library", { is_known_library: false }, "high"],
  ["a grace period", { has_grace_period: true }, "high"],
  ["default verifiers", { is_default_config: true }, "medium"],
  ["a single key as its owner", { is_changed_by_eoa: true }, "medium"],
  ["a verifier that never attests", { required_dvns: [dead, layerZeroLabs] }, "inactive"],
  ["a closed route", { is_open: false }, "inactive"],
] as const)("scoreRoute rates a route with %s", (_what, more, risk_level) => {
  expect(scoreRoute(side(more as Partial<ReceiveSide>)).risk_level).toBe(risk_level);
});

test("scoreRoute returns all reasons and the worst risk level", () => {
  const scored = scoreRoute(
    side({ required_dvns: [layerZeroLabs], is_default_config: true, confirmations: "0" }),
  );
  expect(scored.risk_level).toBe("critical");
  expect(scored.risk_reasons).toHaveLength(3);
});

test("one more required verifier never increases the risk", () => {
  const order = ["critical", "high", "medium", "low"];
  const address = fc.integer({ min: 1, max: 6 }).map((number) => `0x${String(number).padStart(40, "0")}`);
  fc.assert(
    fc.property(
      fc.uniqueArray(address, { maxLength: 4 }),
      fc.uniqueArray(address, { maxLength: 4 }),
      fc.nat(3),
      address,
      (required_dvns, optional_dvns, nth, extra) => {
        const optional_threshold = Math.min(nth, optional_dvns.length);
        const base = side({ required_dvns, optional_dvns, optional_threshold });
        const more = side({
          required_dvns: [...new Set([...required_dvns, extra])],
          optional_dvns,
          optional_threshold,
        });
        const [before, after] = [base, more].map((receiveSide) =>
          order.indexOf(scoreRoute(receiveSide).risk_level),
        ) as [number, number];
        return after >= before;
      },
    ),
  );
});
