import { decodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  bob,
  failed,
  nothing,
  returned,
  start,
  subject,
  timed,
} from "../../../test/meters/scripted-activity.ts";
import { compileAbi } from "../../chains/evm/abi/abi.ts";
import type { TimedReading } from "../meter.ts";
import { viewFunction } from "./view-function.ts";

type Config = Parameters<typeof viewFunction.config.parse>[0];

function interpret(config: Config, result: typeof failed, previous?: TimedReading) {
  return viewFunction.interpret?.(viewFunction.config.parse(config), [result], subject, at(start, previous));
}

function issuesOf(config: Config): string[] {
  return viewFunction.config.safeParse(config).error?.issues.map(({ path }) => path.join(".")) ?? [];
}

describe("the view_function meter", () => {
  it.each([
    "function balanceOf(address owner) view returns (uint256)",
    "balanceOf(address)(uint256)",
    "balanceOf(address) returns (uint256 balance)",
    "balanceOf(address)",
  ])("calls and decodes %s", (signature) => {
    const config = viewFunction.config.parse({ signature, args: [alice.toLowerCase()], decimals: 2 });
    const [read] = viewFunction.reads?.(config, subject) ?? [];
    const abi = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
    expect(read?.kind === "call" && decodeFunctionData({ abi, data: read.data }).args).toEqual([alice]);
    expect(interpret(config, returned("uint256", 250n))).toMatchObject({
      value: 2.5,
      evidence: { returned: 250n, state: "250" },
    });
  });

  it("measures the output at output_index, including signed numbers and booleans", () => {
    const signature = "f()(uint256, int256, bool)";
    const result = returned("uint256, int256, bool", 1n, -5n, true);
    expect(interpret({ signature, output_index: 1 }, result)).toMatchObject({ value: -5 });
    expect(interpret({ signature, output_index: 2 }, result)).toMatchObject({
      value: 1,
      evidence: { state: "true" },
    });
  });

  it("distinguishes integers that are equal as doubles", () => {
    const signature = "f()(uint256)";
    const first = interpret({ signature }, returned("uint256", 10n ** 30n));
    const second = interpret({ signature }, returned("uint256", 10n ** 30n + 1n));
    expect(timed(first).value).toBe(timed(second).value);
    expect(timed(first).evidence?.state).not.toBe(timed(second).evidence?.state);
  });

  it("measures changes of a value that is not a number, starting with 0", () => {
    const config = { signature: "owner()(address)" };
    const first = interpret(config, returned("address", alice));
    expect(first).toMatchObject({ value: 0, evidence: { state: alice } });
    expect(interpret(config, returned("address", alice), timed(first))).toMatchObject({ value: 0 });
    const evidence = { state: bob, previous_state: alice };
    expect(interpret(config, returned("address", bob), timed(first))).toMatchObject({ value: 1, evidence });
  });

  it("stores a long state as a hash", () => {
    const reading = timed(interpret({ signature: "f()(string)" }, returned("string", "x".repeat(5000))));
    expect(reading.evidence?.state).toMatch(/^0x[0-9a-f]{64}$/);
    const list = timed(interpret({ signature: "f()(uint256[])" }, returned("uint256[]", [1n, 2n])));
    expect(list.evidence?.state).toBe('["1","2"]');
  });

  it("decodes with the contract's ABI if the signature has no return types", () => {
    const abi = compileAbi(["function getReserves() view returns (int256)"]);
    if (!abi.ok) throw new Error(abi.problem);
    const config = viewFunction.config.parse({ signature: "getReserves()" });
    const result = returned("int256", -3n);
    expect(viewFunction.interpret?.(config, [result], { ...subject, abi: abi.abi }, at(start))).toMatchObject(
      {
        value: -3,
      },
    );
  });

  it("reports a problem if the call fails or returns no data or too few values", () => {
    const config = { signature: "f()(uint256)" };
    expect(interpret(config, failed)).toEqual({ problem: "f() could not be read: execution reverted." });
    expect(interpret(config, nothing)).toHaveProperty("problem");
    expect(interpret({ signature: "f()", output_index: 3 }, returned("uint256", 1n))).toHaveProperty(
      "problem",
    );
  });
});

describe("the arguments of view_function", () => {
  it("are accepted in all supported JSON forms", () => {
    const signature =
      "f(uint256,int8,bool,bytes4,string,address[],(uint256 a,bytes b),(uint256,bool))(uint256)";
    const args = ["0xff", -5, true, "0xdeadbeef", "hi", [alice, bob], { a: "1", b: "0x" }, [1, false]];
    expect(issuesOf({ signature, args })).toEqual([]);
  });

  it.each([
    ["too few", "f(uint256)", []],
    ["too many", "f()", [1]],
    ["text for a number", "f(uint256)", ["many"]],
    ["a fraction", "f(uint256)", [1.5]],
    ["a number that does not fit", "f(uint8)", [256]],
    ["a negative number", "f(uint256)", ["-1"]],
    ["a wrong address", "f(address)", ["0x12"]],
    ["a number instead of a boolean", "f(bool)", [1]],
    ["bytes of the wrong length", "f(bytes4)", ["0xdead"]],
    ["half a byte", "f(bytes)", ["0xdea"]],
    ["a list of the wrong length", "f(uint256[2])", [[1]]],
    ["a number instead of a list", "f(uint256[])", [1]],
    ["a tuple without a required field", "f((uint256 a) g)", [{ b: 1 }]],
    ["null", "f((uint256 a) g)", [null]],
    ["too long", "f(string)", ["x".repeat(5000)]],
  ])("are rejected if they are %s", (_, signature, args) => {
    expect(issuesOf({ signature, args })).toEqual(["args"]);
  });

  it("are accepted only with a valid signature and an existing output", () => {
    expect(issuesOf({ signature: "f(" })).toEqual(["signature"]);
    expect(issuesOf({ signature: "f()(uint256" })).toEqual(["signature"]);
    expect(issuesOf({ signature: "f()(uint256)", output_index: 1 })).toEqual(["output_index"]);
  });
});
