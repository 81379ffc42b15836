import { describe, expect, it } from "vitest";
import type { Example } from "../../../test/meters/event-examples.ts";
import { occurred } from "../../../test/meters/example-reading.ts";
import { subject } from "../../../test/meters/scripted-activity.ts";
import { noNames } from "../../meters/words.ts";
import type { Evaluation } from "./evaluation.ts";
import { eventText } from "./event-text.ts";
import type { Condition } from "./rule.ts";

/** The message of an event of the example of a target type, without the place that it begins with. */
function messageOf(
  example: Example,
  condition: Partial<Condition>,
  value?: number,
  more: Partial<Evaluation["windowResult"]> = {},
): string {
  const { meter, config, reading } = occurred(example);
  const contract = { label: "Treasury", subject };
  const window = [reading];
  const limit = { operator: "gte", threshold: 3, threshold_high: null, window_seconds: 300 };
  const evaluation = {
    rule: { name: "On-call", condition: { ...limit, ...condition }, target: { meter, config, contract } },
    windowResult: {
      holds: true,
      value: value ?? reading.value,
      clause: "",
      window,
      isNoData: false,
      ...more,
    },
    cause: reading,
  } as unknown as Evaluation;
  return eventText(evaluation, noNames).message.replace("Treasury on Ethereum: ", "");
}

describe("the message of an event", () => {
  it("says a rate and its limit by the minute", () => {
    expect(messageOf({ type: "tx_rate" }, { aggregation: "rate" }, 4.5)).toBe(
      "4.5 transactions a minute over 5 min. The rule “On-call” fires at or above 3 transactions a minute.",
    );
  });

  it("says that readings are counted where the unit is that of one reading", () => {
    expect(messageOf({ type: "gas_usage" }, { aggregation: "count" }, 4)).toBe(
      "4 readings in 5 min. The rule “On-call” fires at or above 3 readings.",
    );
  });

  it("says from what to what a value changed in percent", () => {
    const condition = { operator: "change_pct_lt" as const, threshold: -10, aggregation: "last" as const };
    expect(messageOf({ type: "native_balance", value: 75 }, condition, -25, { base: 100 })).toBe(
      "Native balance fell by 25 % in 5 min, from 100 ETH to 75 ETH. The rule “On-call” fires on a change below -10 %.",
    );
  });
});
