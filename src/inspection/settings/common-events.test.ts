import { expect, test } from "vitest";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { commonEvents } from "./common-events.ts";
import { namesLiquidation, namesSettingEvent, namesUse } from "./setting-words.ts";

test("common events are found by their topics, and their names say what they are", async () => {
  const { settings, liquidations, uses } = await commonEvents();
  const text = "StrategyReplaced(address,address)";
  expect(settings.get(keccakOfText(text))).toBe(text);
  const nameOf = (signature: string) => signature.slice(0, signature.indexOf("("));
  expect([...liquidations.values()].filter((liquidation) => !namesLiquidation(nameOf(liquidation)))).toEqual(
    [],
  );
  expect([...uses.values()].filter((use) => !namesUse(nameOf(use)))).toEqual([]);
  const others = new Set([...settings.values()].map(nameOf).filter((one) => !namesSettingEvent(one)));
  expect([...others].filter((other) => !other.startsWith("Log"))).toEqual([]);
});
