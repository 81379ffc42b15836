import fc from "fast-check";
import { parseAbiItem, toEventSelector, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { compileAbi, mergeAbis } from "./abi.ts";

const transfer = {
  type: "event",
  name: "Transfer",
  inputs: [
    { name: "from", type: "address", indexed: true },
    { name: "to", type: "address", indexed: true },
    { name: "value", type: "uint256", indexed: false },
  ],
};
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

function read(input: unknown) {
  const result = compileAbi(input);
  if (!result.ok) throw new Error(result.problem);
  return result.abi;
}

function problemOf(input: unknown): string {
  const result = compileAbi(input);
  return result.ok ? "" : result.problem;
}

const signatures = (entries: readonly { signature: string }[] | undefined) =>
  entries?.map((entry) => entry.signature);

describe("compileAbi", () => {
  it.each([
    ["a list", [transfer]],
    ["the text of a list", JSON.stringify([transfer])],
    ["an artifact", { contractName: "Token", abi: [transfer], bytecode: "0x" }],
    ["the text of an artifact", JSON.stringify({ abi: [transfer] })],
    ["signatures", ["event Transfer(address indexed from, address indexed to, uint value);"]],
  ])("accepts an ABI as %s", (_, input) => {
    expect(signatures(read(input).events.get(transferTopic))).toEqual(["Transfer(address,address,uint256)"]);
  });

  it("indexes events by topic 0 and functions by selector", () => {
    const abi = read([
      "event Transfer(address indexed from, address indexed to, uint256 value)",
      "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
      "event Hidden(uint256 a) anonymous",
      "function transfer(address to, uint256 amount) external returns (bool)",
      "balanceOf(address)",
      "error InsufficientBalance(uint256 available, uint256 required)",
      "constructor(address owner)",
      "receive() external payable",
      { type: "fallback", stateMutability: "payable" },
      { name: "approve", inputs: [{ type: "address" }, { type: "uint256" }], constant: false },
    ]);
    expect(abi.events.get(transferTopic)?.map((entry) => entry.indexed)).toEqual([
      [true, true, false],
      [true, true, true],
    ]);
    expect(abi.events.size).toBe(1);
    expect([...abi.functions.keys()]).toEqual(["0xa9059cbb", "0x70a08231", "0x095ea7b3"]);
    expect([...abi.errors.keys()]).toEqual(["0xcf479181"]);
  });

  it("mergeAbis keeps the items of the first ABI first, and duplicates only once", () => {
    const proxy = read([
      "function admin() view returns (address)",
      "event Upgraded(address indexed implementation)",
    ]);
    const implementation = read([
      "function admin() view returns (address)",
      "function mint(address to)",
      "event Upgraded(address implementation)",
    ]);
    const merged = mergeAbis(proxy, implementation);
    expect([...merged.functions.values()].flat().map((entry) => entry.signature)).toEqual([
      "admin()",
      "mint(address)",
    ]);
    expect([...merged.events.values()].flat().map((entry) => entry.indexed)).toEqual([[true], [false]]);
  });
});

const tuple = (depth: number): object =>
  depth === 0 ? { type: "uint8" } : { type: "tuple", components: [tuple(depth - 1)] };
const withInputs = (inputs: unknown[]) => [{ type: "function", name: "f", inputs }];

describe("an invalid ABI", () => {
  it.each([
    ["not a list", { a: 1 }, "An ABI must be a list"],
    ["nothing", undefined, "An ABI must be a list"],
    ["text that is not JSON", "[", "not valid JSON"],
    ["an entry that is no object", [transfer, 5], "ABI entry 1: "],
    ["an unknown kind", [{ type: "struct", name: "S" }], "ABI entry 0 (S): type"],
    ["an unknown type", withInputs([{ type: "uint257" }]), 'ABI entry 0 (f): The type "uint257" is unknown'],
    ["an odd size", withInputs([{ type: "int12" }]), '"int12" is unknown'],
    ["a size with a leading zero", withInputs([{ type: "uint08" }]), '"uint08" is unknown'],
    ["bytes of size zero", withInputs([{ type: "bytes0" }]), '"bytes0" is unknown'],
    ["too many bytes", withInputs([{ type: "bytes33" }]), '"bytes33" is unknown'],
    ["a fixed-point number", withInputs([{ type: "fixed128x18" }]), "is unknown"],
    ["a broken array", withInputs([{ type: "uint8[" }]), "is unknown"],
    ["a negative array", withInputs([{ type: "uint8[-1]" }]), "is unknown"],
    ["a tuple without fields", withInputs([{ type: "tuple" }]), "tuple without components"],
    ["an unknown type in a result", [{ ...withInputs([])[0], outputs: [{ type: "x" }] }], '"x" is unknown'],
    ["a name that is no word", [{ type: "event", name: "a b", inputs: [] }], "ABI entry 0 (a b): The name"],
    ["no name", [{ type: "event", inputs: [] }], "ABI entry 0: The name"],
    ["inputs that are no list", [{ type: "event", name: "E", inputs: {} }], "ABI entry 0 (E): inputs"],
    ["a struct", ["struct S { uint a; }"], "write the fields as a tuple"],
    ["a signature cut short", ["event E(uint256"], "ends too early"],
  ])("is rejected with the name of the entry: %s", (_, input, message) => {
    expect(problemOf(input)).toContain(message);
  });

  it.each([
    ["entries", Array(2000).fill(transfer), Array(2001).fill(transfer)],
    ["inputs", withInputs(Array(64).fill({ type: "bool" })), withInputs(Array(65).fill({ type: "bool" }))],
    ["tuples in tuples", withInputs([tuple(8)]), withInputs([tuple(9)])],
    [
      "dimensions",
      withInputs([{ type: `bool${"[]".repeat(8)}` }]),
      withInputs([{ type: `bool${"[]".repeat(9)}` }]),
    ],
    ["text", `[]${" ".repeat(5 * 1024 * 1024 - 2)}`, `[]${" ".repeat(5 * 1024 * 1024 - 1)}`],
    [
      "parameters",
      Array(312).fill({ type: "event", name: "E", inputs: Array(64).fill({ type: "bool" }) }),
      Array(313).fill({ type: "event", name: "E", inputs: Array(64).fill({ type: "bool" }) }),
    ],
    [
      "parameters of one entry",
      withInputs(Array(20).fill({ type: "tuple", components: Array(49).fill({ type: "bool" }) })),
      withInputs(Array(20).fill({ type: "tuple", components: Array(50).fill({ type: "bool" }) })),
    ],
    [
      "array dimensions of one entry",
      withInputs(
        Array(40).fill({ type: `tuple${"[]".repeat(8)}`, components: Array(16).fill({ type: "bool" }) }),
      ),
      withInputs(
        Array(41).fill({ type: `tuple${"[]".repeat(8)}`, components: Array(16).fill({ type: "bool" }) }),
      ),
    ],
    [
      "tuples in a signature",
      [`f(${"(".repeat(8)}bool${")".repeat(8)})`],
      [`f(${"(".repeat(9)}bool${")".repeat(9)})`],
    ],
  ])("is rejected above the limit on %s, and accepted at the limit", (_, within, beyond) => {
    expect(problemOf(within)).toBe("");
    expect(problemOf(beyond)).toMatch(/at most|too many|<=64/i);
  });

  it("yields a problem and never an exception", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (input) => {
          compileAbi(input);
          compileAbi([input]);
          compileAbi([{ type: "event", name: "E", inputs: [input] }]);
          compileAbi([String(input && typeof input === "object" ? "" : String(input))]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("with a circular reference is rejected", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(problemOf(circle)).toBe("An ABI must be plain JSON.");
  });
});

describe("an event with many layouts", () => {
  const layout = (indexed: number) => ({
    type: "event",
    name: "Stored",
    inputs: Array.from({ length: 10 }, (_, position) => ({
      name: `a${position}`,
      type: "uint256",
      indexed: ((indexed >> position) & 1) === 1,
    })),
  });
  const layouts = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => layout(from + index));

  it("is rejected above 16 layouts, and accepted at the limit", () => {
    expect(signatures([...read(layouts(0, 16)).events.values()].flat())).toHaveLength(16);
    expect(problemOf(layouts(0, 17))).toMatch(/^The event Stored\(uint256,.* has 17 layouts/);
    expect(problemOf(layouts(0, 1_000))).toMatch(/has 1000 layouts/);
  });

  it("keeps 16 of them when two ABIs are merged", () => {
    const merged = mergeAbis(read(layouts(0, 16)), read(layouts(16, 16)));
    expect([...merged.events.values()].map((entries) => entries.length)).toEqual([16]);
  });
});

describe("the key of an entry", () => {
  const type = fc.constantFrom(
    "address",
    "uint256",
    "int24[]",
    "bytes32[2][]",
    "(uint8 a, (bool, string[]) b)[]",
    "bytes",
  );
  const parameters = fc.array(fc.tuple(type, fc.constantFrom("", " a", " b_1")), { maxLength: 5 });

  it("equals the selector or topic that viem computes", () => {
    fc.assert(
      fc.property(fc.constantFrom("Name", "_x$1"), parameters, (name, list) => {
        const text = `${name}(${list.map(([type, name]) => type + name).join(", ")})`;
        const abi = read([`event ${text}`, `function ${text}`]);
        expect([...abi.events.keys()]).toEqual([toEventSelector(parseAbiItem(`event ${text}`) as never)]);
        expect([...abi.functions.keys()]).toEqual([
          toFunctionSelector(parseAbiItem(`function ${text}`) as never),
        ]);
      }),
      { numRuns: 200 },
    );
  });
});
