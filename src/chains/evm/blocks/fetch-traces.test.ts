import { describe, expect, test } from "vitest";
import type { Block, Hex } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { readTraces } from "./fetch-traces.ts";

const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as Hex;
const block = (...hashes: Hex[]) =>
  ({ hash: hash(99), transactions: hashes.map((one, index) => ({ hash: one, index })) }) as unknown as Block;
const frame = (more: object) => ({ type: "CALL", from: address(1), to: address(2), input: "0x", ...more });

describe("readTraces", () => {
  test("returns the calls inside each transaction, at any depth, in order", () => {
    const inner = frame({ to: address(4), input: "0xAABB", value: "0x10", error: "execution reverted" });
    const top = frame({
      calls: [frame({ to: address(3), calls: [inner] }), frame({ type: "STATICCALL", to: address(5) })],
    });
    const calls = readTraces(
      [{ txHash: hash(1), result: top }, { result: frame({}) }],
      block(hash(1), hash(2)),
    );
    expect(calls.map(({ to, input, value, is_success }) => [to, input, value, is_success])).toEqual([
      [address(3), "0x", 0n, true],
      [address(4), "0xaabb", 16n, false],
      [address(5), "0x", 0n, true],
    ]);
    expect(calls[0]).toMatchObject({ tx_hash: hash(1), tx_index: 0, from: address(1) });
  });

  test("skips delegate calls and malformed frames", () => {
    const odd = [
      frame({ type: "DELEGATECALL" }),
      frame({ type: "CREATE" }),
      frame({ to: "0x12" }),
      frame({ input: 7 }),
      null,
    ];
    expect(readTraces([{ result: frame({ calls: odd }) }], block(hash(1)))).toEqual([]);
  });

  test("limits the depth, so that a hostile contract cannot crash the process", () => {
    let deep: object = frame({});
    for (let n = 0; n < 50_000; n++) deep = frame({ calls: [deep] });
    expect(() => readTraces([{ result: deep }], block(hash(1)))).not.toThrow();
  });

  test("rejects traces of other transactions or of too few", () => {
    expect(() => readTraces([], block(hash(1)))).toThrow(EndpointFailure);
    expect(() => readTraces([{ txHash: hash(7), result: frame({}) }], block(hash(1)))).toThrow(
      "other transactions",
    );
  });
});
