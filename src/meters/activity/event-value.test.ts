import { describe, expect, it } from "vitest";
import { activity, alice, bob, emit, subject, token } from "../../../test/meters/scripted-activity.ts";
import { compileAbi } from "../../chains/evm/abi/abi.ts";
import { decodeLog } from "../../chains/evm/abi/decode.ts";
import { eventValue } from "./event-value.ts";

const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";

function measure(config: unknown, ...events: ReturnType<typeof emit>[]) {
  return (
    eventValue.measure?.(eventValue.config.parse(config), activity({ events }), subject, undefined) ?? []
  );
}

describe("the event_value meter", () => {
  it("measures the scaled argument, by name and by position", () => {
    const event = emit(transfer, [alice, bob, 2_500_000n], { position: 3, log_index: 7 });
    for (const arg of ["value", "$2"]) {
      const config = { event_signature: "Transfer(address,address,uint256)", arg, decimals: 6 };
      const [reading] = measure(config, event);
      expect(reading).toMatchObject({ value: 2.5, position: 3, log_index: 7, tx_hash: event.tx_hash });
      expect(reading?.evidence).toMatchObject({ amount: 2_500_000n, decoded: { name: "Transfer" } });
    }
  });

  it("reads into tuples and arrays, and supports negative values", () => {
    const event = emit("Filled((uint256 id, int256[] sums) order)", [{ id: 1n, sums: [5n, -7n] }]);
    const event_signature = "Filled((uint256 id, int256[] sums) order)";
    expect(measure({ event_signature, arg: "order.sums[1]" }, event)[0]?.value).toBe(-7);
  });

  it("accepts the argument name of the signature and that of the contract's ABI", () => {
    const abi = compileAbi([`event ${transfer}`]);
    const event = emit(transfer, [alice, bob, 5n]);
    const decoded = abi.ok ? decodeLog(abi.abi, event) : undefined;
    const event_signature = "Transfer(address indexed src, address indexed dst, uint256 wad)";
    expect(measure({ event_signature, arg: "wad" }, { ...event, decoded })[0]?.value).toBe(5);
    expect(measure({ event_signature, arg: "value" }, { ...event, decoded })[0]?.value).toBe(5);
  });

  it("skips arguments that are not numbers, logs of other contracts and malformed logs", () => {
    const event_signature = "Transfer(address,address,uint256)";
    const event = emit(transfer, [alice, bob, 5n]);
    expect(measure({ event_signature, arg: "from" }, event)).toEqual([]);
    expect(measure({ event_signature, arg: "missing" }, event)).toEqual([]);
    expect(measure({ event_signature, arg: "constructor" }, event)).toEqual([]);
    expect(measure({ event_signature, arg: "value" }, { ...event, address: token })).toEqual([]);
    expect(measure({ event_signature, arg: "value" }, { ...event, data: "0x12" })).toEqual([]);
  });

  it.each([
    ["an argument beyond the last", { arg: "$3" }],
    ["a condition", { arg: "value > 1" }],
    ["no event", { event_signature: "Transfer(", arg: "$0" }],
    ["too many decimals", { arg: "$2", decimals: 78 }],
  ])("rejects a config with %s", (_, wrong) => {
    const config = { event_signature: "Transfer(address,address,uint256)", ...wrong };
    expect(eventValue.config.safeParse(config).success).toBe(false);
  });
});
