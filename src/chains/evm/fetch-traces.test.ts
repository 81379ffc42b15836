import { describe, expect, test } from "vitest";
import type { Block, Hex } from "../block.ts";
import { addTraces, readTraces } from "./fetch-traces.ts";
import type { Answer } from "./rpc/answers.ts";
import { EndpointFailure, RpcError } from "./rpc/failure.ts";
import type { Session } from "./rpc/session.ts";

const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as Hex;
const block = (...hashes: Hex[]) =>
  ({ hash: hash(99), transactions: hashes.map((one, index) => ({ hash: one, index })) }) as unknown as Block;
const frame = (more: object) => ({ type: "CALL", from: address(1), to: address(2), input: "0x", ...more });

/** An endpoint that gives this answer to everything. */
function session(answer: Answer, lacks = new Set<string>()): Session & { asked: number } {
  const one = {
    asked: 0,
    endpoint: 0,
    memory: new Map(),
    request: async () => undefined as never,
    batch: async (calls: readonly unknown[]) => {
      one.asked += calls.length;
      return calls.map(() => answer);
    },
    lacks: (feature: string) => lacks.has(feature),
    noteLack: (feature: string) => void lacks.add(feature),
  };
  return one;
}

describe("traces", () => {
  test("give the calls inside each transaction, however deep, in their order", () => {
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

  test("leave out code that runs in another's name, and what makes no sense", () => {
    const odd = [
      frame({ type: "DELEGATECALL" }),
      frame({ type: "CREATE" }),
      frame({ to: "0x12" }),
      frame({ input: 7 }),
      null,
    ];
    expect(readTraces([{ result: frame({ calls: odd }) }], block(hash(1)))).toEqual([]);
  });

  test("as deep as a hostile contract likes do not end the process", () => {
    let deep: object = frame({});
    for (let n = 0; n < 50_000; n++) deep = frame({ calls: [deep] });
    expect(() => readTraces([{ result: deep }], block(hash(1)))).not.toThrow();
  });

  test("of other transactions, or of too few, are no answer", () => {
    expect(() => readTraces([], block(hash(1)))).toThrow(EndpointFailure);
    expect(() => readTraces([{ txHash: hash(7), result: frame({}) }], block(hash(1)))).toThrow(
      "other transactions",
    );
  });
});

describe("an endpoint", () => {
  test("that gives no traces is asked once, and leaves the block as it is", async () => {
    const lacking = session({ failure: new RpcError(-32601, "the method does not exist") });
    const [first] = await addTraces(lacking, [block(hash(1))]);
    const [second] = await addTraces(lacking, [block(hash(1))]);
    expect([first?.internal_calls, second?.internal_calls, lacking.asked]).toEqual([undefined, undefined, 1]);
  });

  test("that fails for a while is not taken for one without calls", async () => {
    const down = session({ failure: new EndpointFailure("down", "does not answer") });
    await expect(addTraces(down, [block(hash(1))])).rejects.toThrow("does not answer");
  });

  test("is not asked about empty blocks, which have no calls", async () => {
    const one = session({ result: null });
    expect(await addTraces(one, [block()])).toMatchObject([{ internal_calls: [] }]);
    expect(one.asked).toBe(0);
  });
});
