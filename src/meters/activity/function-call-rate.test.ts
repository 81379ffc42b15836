import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { activity, bob, call, hash, subject } from "../../../test/meters/scripted-activity.ts";
import { functionCallRate } from "./function-call-rate.ts";

const input = encodeFunctionData({
  abi: parseAbi(["function transfer(address to, uint256 amount)"]),
  args: [bob, 5n],
});

function measure(config: unknown, ...calls: ReturnType<typeof call>[]) {
  const parsed = functionCallRate.config.parse(config);
  return functionCallRate.measure?.(parsed, activity({ calls }), subject, undefined) ?? [];
}

describe("the function_call_rate meter", () => {
  const function_signature = "transfer(address to, uint256 amount)";

  it("counts direct calls of the function, including failed ones, and decodes them", () => {
    const readings = measure(
      { function_signature },
      call({ input }),
      call({ input, tx_hash: hash(2), receipt: { is_success: false, gas_used: 1n } }),
      call({ input: "0xdeadbeef" }),
      call({ input: "0x" }),
      call({ input, direction: "from" }),
    );
    expect(readings.map(({ tx_hash }) => tx_hash)).toEqual([hash(1), hash(2)]);
    expect(readings[0]?.evidence).toMatchObject({
      decoded: { name: "transfer", args: { to: bob, amount: 5n } },
    });
    expect(readings[1]?.evidence).toMatchObject({ status: "failed" });
  });

  it("counts only calls that match the filter; calls that cannot be decoded do not match", () => {
    const cut = call({ input: input.slice(0, 20) as `0x${string}` });
    expect(measure({ function_signature, filter: "amount > 4" }, call({ input }), cut)).toHaveLength(1);
    expect(measure({ function_signature, filter: "amount > 5" }, call({ input }), cut)).toEqual([]);
    expect(measure({ function_signature }, cut)).toHaveLength(1);
  });

  it("counts calls by other contracts only with internal", () => {
    const parsed = functionCallRate.config.parse({ function_signature, internal: true });
    const seen = {
      ...activity({ calls: [call({ input })] }),
      internal: [call({ input, from: bob }), call({ input: "0x" })],
    };
    expect(functionCallRate.measure?.(parsed, seen, subject, undefined)).toHaveLength(2);
    expect(functionCallRate.needsOf?.(parsed)).toContain("traces");
    const direct = functionCallRate.config.parse({ function_signature });
    expect(functionCallRate.measure?.(direct, seen, subject, undefined)).toHaveLength(1);
    expect(functionCallRate.needsOf?.(direct)).not.toContain("traces");
  });
});
