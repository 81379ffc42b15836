import fc from "fast-check";
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
} from "viem";
import { describe, expect, it, vi } from "vitest";
import type { DecodedValue } from "../../decoding/decoded-value.ts";
import { abiOf, compileAbi, emptyAbi } from "./abi.ts";
import { decodeCall, decodeLog, decodeRevert } from "./decode.ts";

const numRuns = process.env.TEST_LONG ? 20_000 : 200;
if (process.env.TEST_LONG) vi.setConfig({ testTimeout: 600_000 });

function abi(...signatures: string[]) {
  const result = compileAbi(signatures);
  if (!result.ok) throw new Error(result.problem);
  return result.abi;
}

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const alice = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const bob = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

describe("decodeLog", () => {
  const token = abi(
    "event Transfer(address indexed from, address indexed to, uint256 value)",
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
    "event Named(string indexed name, uint8[] indexed, bytes4 indexed id, string text)",
  );

  it("returns arguments by name and by position", () => {
    const log = { topics: [transferTopic, topicOf(alice), topicOf(bob)], data: `0x${word(5n)}` };
    expect(decodeLog(token, log)).toEqual({
      name: "Transfer",
      signature: "Transfer(address,address,uint256)",
      args: { from: alice, to: bob, value: 5n, $0: alice, $1: bob, $2: 5n },
    });
  });

  it("uses the layout that matches the number of topics", () => {
    const log = { topics: [transferTopic, topicOf(alice), topicOf(bob), `0x${word(7)}`], data: "0x" };
    expect(decodeLog(token, log)?.args.tokenId).toBe(7n);
    expect(decodeLog(token, { ...log, topics: log.topics.slice(0, 2) })).toBeUndefined();
  });

  it("returns the hash of an indexed argument that does not fit into a topic", () => {
    const [entry] = [...token.events.values()].flat().filter(({ item }) => item.name === "Named");
    const hash = `0x${"Ab".repeat(32)}`;
    const data = encodeAbiParameters([{ type: "string" }], ["hi"]);
    const topics = [entry?.key ?? "", hash, hash, `0xdeadbeef${"0".repeat(56)}`];
    expect(decodeLog(token, { topics, data })?.args).toEqual({
      name: hash.toLowerCase(),
      id: "0xdeadbeef",
      text: "hi",
      $0: hash.toLowerCase(),
      $1: hash.toLowerCase(),
      $2: "0xdeadbeef",
      $3: "hi",
    });
  });

  it.each([
    ["no topics", [], "0x"],
    ["an unknown topic", [`0x${word(1)}`], "0x"],
    ["no data", [transferTopic, topicOf(alice), topicOf(bob)], "0x"],
    ["short data", [transferTopic, topicOf(alice), topicOf(bob)], `0x${word(5).slice(2)}`],
    ["a short topic", [transferTopic, topicOf(alice), bob], `0x${word(5)}`],
    ["data that is not hex", [transferTopic, topicOf(alice), topicOf(bob)], `0x${word(5).slice(1)}g`],
    ["an odd number of digits", [transferTopic, topicOf(alice), topicOf(bob)], `0x${word(5)}0`],
    ["data without 0x", [transferTopic, topicOf(alice), topicOf(bob)], word(5)],
  ])("returns undefined for a log with %s", (_, topics, data) => {
    expect(decodeLog(token, { topics, data })).toBeUndefined();
  });
});

describe("decodeCall", () => {
  const source = "function fill((address maker, (uint256 size, bytes)[] parts) order, uint8 kind, bool)";

  it("returns tuples as objects with names and positions", () => {
    const input = encodeFunctionData({
      abi: parseAbi([
        "function fill((address maker, (uint256 size, bytes)[] parts) order, uint8 kind, bool)",
      ]),
      args: [{ maker: alice, parts: [[3n, "0xAB"]] as never }, 2, true],
    });
    const parts = [{ size: 3n, $0: 3n, $1: "0xab" }];
    const order = { maker: alice, parts, $0: alice, $1: parts };
    expect(decodeCall(abi(source), input)).toEqual({
      name: "fill",
      signature: "fill((address,(uint256,bytes)[]),uint8,bool)",
      args: { order, kind: 2n, $0: order, $1: 2n, $2: true },
    });
  });

  it("handles parameter names that clash or are unsafe as object keys", () => {
    const inputs = ["$1", "same", "same", "__proto__", "constructor"].map((name) => ({
      name,
      type: "uint8",
    }));
    const clash = abiOf([{ type: "function", name: "f", inputs, outputs: [], stateMutability: "view" }]);
    const [selector = ""] = [...clash.functions.keys()];
    const args = decodeCall(clash, selector + [1, 2, 3, 4, 5].map(word).join(""))?.args ?? {};
    expect(Object.entries(args)).toEqual([
      ["$1", 2n],
      ["same", 2n],
      ["__proto__", 4n],
      ["constructor", 5n],
      ["$0", 1n],
      ["$2", 3n],
      ["$3", 4n],
      ["$4", 5n],
    ]);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
  });

  it("ignores surplus bits and trailing data, as contracts do", () => {
    const untidy = abi("function f(address a, uint8 b, int8 c, bool d, bytes2 e)");
    const [selector = ""] = [...untidy.functions.keys()];
    const ones = "f".repeat(64);
    expect(decodeCall(untidy, `${selector}${ones}${ones}${ones}${ones}${ones}c0ffee`)?.args).toMatchObject({
      a: getAddress(`0x${"f".repeat(40)}`),
      b: 255n,
      c: -1n,
      d: true,
      e: "0xffff",
    });
  });

  it("decodes a function without parameters", () => {
    expect(decodeCall(abi("pause()"), "0x8456cb59")).toEqual({
      name: "pause",
      signature: "pause()",
      args: {},
    });
    expect(decodeCall(abi("pause()"), "0x8456CB59ff")?.name).toBe("pause");
  });

  it.each(["", "0x", "0x84", "0x8456cb5", "0x12345678", "8456cb59", "0x8456cb59f"])(
    "is not read from %j",
    (input) => {
      expect(decodeCall(abi("pause()"), input)).toBeUndefined();
    },
  );
});

describe("decodeRevert", () => {
  const source = "error Broke(uint256 have, uint256 want)";

  it("decodes an error of the ABI, or a built-in one", () => {
    const data = encodeErrorResult({
      abi: parseAbi(["error Broke(uint256 have, uint256 want)"]),
      args: [1n, 2n],
    });
    expect(decodeRevert(abi(source), data)?.args).toMatchObject({ have: 1n, want: 2n });
    const message = `0x08c379a0${encodeAbiParameters([{ type: "string" }], ["no"]).slice(2)}`;
    expect(decodeRevert(emptyAbi, message)).toMatchObject({ name: "Error", args: { message: "no" } });
    expect(decodeRevert(emptyAbi, `0x4e487b71${word(17)}`)).toMatchObject({
      name: "Panic",
      args: { code: 17n },
    });
    expect(decodeRevert(emptyAbi, data)).toBeUndefined();
    expect(decodeRevert(emptyAbi, "0x")).toBeUndefined();
  });
});

/** A parameter, a value that viem can encode, and the expected decoded value. */
type Sample = { parameter: AbiParameter; value: unknown; decoded: DecodedValue };

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const name = fc.constantFrom("", "a", "b", "c", "__proto__", "$0", "length");

const integer = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).chain(([isSigned, bytes]) => {
  const bits = BigInt(bytes * 8);
  const range = isSigned
    ? { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
    : { min: 0n, max: 2n ** bits - 1n };
  return fc.bigInt(range).map((value) => sample(`${isSigned ? "int" : "uint"}${bits}`, value, value));
});

function sample(type: string, value: unknown, decoded: DecodedValue): Sample {
  return { parameter: { type }, value, decoded };
}

const leaf = fc.oneof(
  integer,
  hexOf(20).map((value) => sample("address", value, getAddress(value))),
  fc.boolean().map((value) => sample("bool", value, value)),
  fc.string({ unit: "binary", maxLength: 70 }).map((value) => sample("string", value, value)),
  fc
    .nat(70)
    .chain(hexOf)
    .map((value) => sample("bytes", value, value)),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => hexOf(size).map((value) => sample(`bytes${size}`, value, value))),
);

function byNameAndPosition(samples: (Sample & { name: string })[]): { [name: string]: DecodedValue } {
  const result = new Map<string, DecodedValue>();
  for (const { name, decoded } of samples) if (name !== "" && !result.has(name)) result.set(name, decoded);
  samples.forEach(({ decoded }, position) => {
    result.set(`$${position}`, decoded);
  });
  return Object.fromEntries(result);
}

/** Arrays repeat one element, because only the layout matters here. */
const { anySample } = fc.letrec<{ anySample: Sample }>((tie) => ({
  anySample: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(tie("anySample"), fc.nat(3), fc.boolean()).map(
      ([of, length, isFixed]): Sample => ({
        parameter: { ...of.parameter, type: `${of.parameter.type}[${isFixed ? length : ""}]` },
        value: Array(length).fill(of.value),
        decoded: Array(length).fill(of.decoded),
      }),
    ),
    fc.array(fc.tuple(tie("anySample"), name), { minLength: 1, maxLength: 3 }).map(
      (fields): Sample => ({
        parameter: { type: "tuple", components: fields.map(([of, name]) => ({ ...of.parameter, name })) },
        value: fields.map(([of]) => of.value),
        decoded: byNameAndPosition(fields.map(([of, name]) => ({ ...of, name }))),
      }),
    ),
  ),
}));

const samples = fc.array(
  fc.tuple(anySample, name).map(([of, name]) => ({ ...of, name })),
  { minLength: 1, maxLength: 5 },
);

function encode(list: Sample[]): Hex {
  return encodeAbiParameters(
    list.map((typed) => typed.parameter),
    list.map((typed) => typed.value) as never,
  );
}

function functionOf(list: (Sample & { name: string })[]) {
  const inputs = list.map(({ parameter, name }) => ({ ...parameter, name }));
  const index = compileAbi([{ type: "function", name: "f", inputs }]);
  if (!index.ok) throw new Error(index.problem);
  return { index: index.abi, selector: [...index.abi.functions.keys()][0] ?? "" };
}

describe("data that viem encodes", () => {
  it("is decoded from a call", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const { index, selector } = functionOf(list);
        const decoded = decodeCall(index, selector + encode(list).slice(2));
        expect(decoded?.args).toEqual(byNameAndPosition(list));
      }),
      { numRuns },
    );
  });

  it("is decoded from a log, with arguments in topics or in data", () => {
    const words = fc.array(hexOf(32), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(samples, fc.subarray([0, 1, 2]), words, (list, indexed, hashes) => {
        const inputs = list.map(({ parameter, name }, index) => ({
          ...parameter,
          name,
          indexed: indexed.includes(index),
        }));
        const index = compileAbi([{ type: "event", name: "E", inputs }]);
        if (!index.ok) throw new Error(index.problem);
        const seen = list.map((typed, index) => {
          const isHashed = /^(string|bytes|tuple)$|\]$/.test(typed.parameter.type);
          return indexed.includes(index) && isHashed
            ? { ...typed, decoded: hashes[index] ?? "", isHashed }
            : { ...typed, isHashed };
        });
        const topics = seen
          .map((field, index) => (field.isHashed ? (hashes[index] ?? "") : encode([field])))
          .filter((_, index) => indexed.includes(index));
        const data = encode(list.filter((_, index) => !indexed.includes(index)));
        const log = { topics: [...index.abi.events.keys(), ...topics], data };
        expect(decodeLog(index.abi, log)?.args).toEqual(byNameAndPosition(seen));
      }),
      { numRuns },
    );
  });
});

describe("hostile data", () => {
  const mutation = fc.record({
    at: fc.nat(),
    value: fc.oneof(fc.constant(2n ** 256n - 1n), fc.bigInt(0n, 2n ** 34n), fc.bigInt(0n, 300n)),
  });

  it("never causes an exception, and trailing data changes nothing", () => {
    fc.assert(
      fc.property(
        samples,
        fc.array(mutation, { maxLength: 4 }),
        fc.nat(),
        hexOf(7),
        (list, mutations, cut, garbage) => {
          const { index, selector } = functionOf(list);
          let data = encode(list).slice(2);
          expect(decodeCall(index, selector + data + garbage.slice(2))).toEqual(
            decodeCall(index, selector + data),
          );
          for (const { at, value } of mutations) {
            const start = (at % Math.max(1, data.length / 64)) * 64;
            data = data.slice(0, start) + word(value) + data.slice(start + 64);
          }
          decodeCall(index, selector + data);
          decodeCall(index, selector + data.slice(0, 2 * (cut % (data.length / 2 + 1))));
        },
      ),
      { numRuns },
    );
  });

  it("is decoded to the same values as by viem, if viem decodes it", () => {
    const types = [{ type: "uint256[]" }, { type: "bytes" }, { type: "string[2]" }] as const;
    const index = abi("f(uint256[],bytes,string[2])");
    const [selector = ""] = [...index.functions.keys()];
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.nat(8),
            fc.nat(8).map((n) => n * 32),
            fc.nat(300),
          ),
          { minLength: 3, maxLength: 16 },
        ),
        (words) => {
          const data = words.map(word).join("");
          const ours = decodeCall(index, selector + data)?.args;
          let theirs: readonly unknown[] | undefined;
          try {
            theirs = decodeAbiParameters(types, `0x${data}`);
          } catch {
            theirs = undefined;
          }
          if (theirs) expect([ours?.$0, ours?.$1, ours?.$2]).toEqual(theirs);
        },
      ),
      { numRuns },
    );
  });

  const repeated = (count: number, blobBytes: number) =>
    word(32) + word(count) + word(count * 32).repeat(count) + word(blobBytes) + "ab".repeat(blobBytes);

  it.each([
    ["one blob a thousand times", "f(bytes[])", repeated(1000, 100_000)],
    ["one text a thousand times", "f(string[])", repeated(1000, 100_000)],
    [
      "arrays within themselves",
      `f(uint256${"[]".repeat(8)})`,
      (word(32) + word(1000)).repeat(2) + word(0).repeat(1000),
    ],
    ["offsets to themselves", `f(uint256${"[]".repeat(8)})`, word(32).repeat(2000)],
    ["four thousand million nothings", "f(uint256[0][])", word(32) + word(0xffff_ffff)],
    ["nothings in a fixed array", "f(uint256[0][999999999])", word(0)],
    ["a huge fixed array", "f(uint256[999999999][999999999])", word(0).repeat(100)],
    ["a length of 2^256 - 1", "f(bytes)", word(32) + "f".repeat(64)],
    ["an offset of 2^256 - 1", "f(bytes)", "f".repeat(64)],
    // Without a budget, these would take days.
  ])("with %s is rejected when its budget is used up", (_, signature, data) => {
    const index = abi(signature);
    const [selector = ""] = [...index.functions.keys()];
    expect(decodeCall(index, selector + data)).toBeUndefined();
  });

  it("shares one budget among all layouts of an event", () => {
    const nested = `uint256${"[]".repeat(6)}`;
    const cheap = `event Stored(${nested} indexed a, uint256 b)`;
    const log = (index: ReturnType<typeof abi>) => ({
      topics: [[...index.events.keys()][0] ?? "", `0x${word(1)}`],
      // As a nested array: offsets to themselves.
      data: `0x${word(32).repeat(2000)}`,
    });
    const alone = abi(cheap);
    expect(decodeLog(alone, log(alone))?.args.b).toBe(32n);
    const both = abi(`event Stored(${nested} a, uint256 indexed b)`, cheap);
    expect(decodeLog(both, log(both))).toBeUndefined();
  });
});

it("what was decoded of short logs with many values is kept in memory for fewer of them than of ordinary ones", () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  /** Decodes a log with so many values, then 1,999 others, and again the first: true if it was still known. */
  const isKept = (values: number) => {
    const abi = abiOf([{ type: "event", name: "Many", inputs: [{ type: "tuple[]", components: [] }] }]);
    const decode = (log: { topics: readonly string[] }) =>
      decodeLog(abi, { ...log, data: `0x${word(32)}${word(values)}` });
    const logs = Array.from({ length: 2_000 }, () => ({ topics: [...abi.events.keys()] }));
    const [first] = logs.map(decode);
    return decode(logs[0] ?? expect.fail()) === first;
  };
  expect(isKept(4)).toBe(true);
  expect(isKept(400)).toBe(false);
});
