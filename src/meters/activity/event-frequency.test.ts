import { describe, expect, it } from "vitest";
import { activity, alice, bob, emit, subject, token } from "../../../test/meters/scripted-activity.ts";
import { eventFrequency } from "./event-frequency.ts";

const transfer = (amount: bigint) =>
  emit("Transfer(address indexed from, address indexed to, uint256 value)", [alice, bob, amount]);

function measure(config: unknown, ...events: ReturnType<typeof emit>[]) {
  const parsed = eventFrequency.config.parse(config);
  return eventFrequency.measure?.(parsed, activity({ events }), subject, undefined) ?? [];
}

describe("the event_frequency meter", () => {
  const event_signature = "Transfer(address,address,uint256)";

  it("counts the logs of the event that the contract emits, with their arguments", () => {
    const others = [emit("Paused(address account)", [alice]), { ...transfer(1n), address: token }];
    const [reading, ...rest] = measure({ event_signature }, transfer(5n), ...others);
    expect(rest).toEqual([]);
    expect(reading).toMatchObject({ value: 1, evidence: { decoded: { args: { from: alice, value: 5n } } } });
  });

  it("counts only logs that match the filter, by the argument names of the signature", () => {
    expect(measure({ event_signature, filter: "value >= 5" }, transfer(4n), transfer(5n))).toHaveLength(1);
    const named = "Transfer(address indexed src, address indexed dst, uint256 wad)";
    expect(measure({ event_signature: named, filter: "wad >= 5" }, transfer(4n), transfer(5n))).toHaveLength(
      1,
    );
  });

  it("rejects a filter that does not parse", () => {
    expect(eventFrequency.config.safeParse({ event_signature, filter: "value >=" }).success).toBe(false);
  });
});
