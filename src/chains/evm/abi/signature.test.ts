import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeLog } from "./decode.ts";
import { canonicalEvent, canonicalFunction } from "./signature.ts";
import { wellKnownAbi } from "./well-known-events.ts";

/** The processor time of this thread, which a busy machine does not change. */
const cpuMs = () => process.threadCpuUsage().user / 1000;

const word = (value: number) => value.toString(16).padStart(64, "0");
const topic = (value: number) => `0x${word(value)}`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

function event(text: string) {
  const result = canonicalEvent(text);
  if (!result.ok) throw new Error(result.problem);
  return result;
}

describe("canonicalEvent", () => {
  it.each([
    "Transfer(address,address,uint256)",
    "Transfer(address,address,uint)",
    "  Transfer ( address , address , uint256 ) ",
    "event Transfer(address indexed from, address indexed to, uint256 value)",
    "event Transfer(address indexed from, address indexed to, uint256 value);",
    "Transfer(address from, address to, uint amount)",
  ])("normalises %j", (text) => {
    expect(event(text)).toMatchObject({
      signature: "Transfer(address,address,uint256)",
      selector: transferTopic,
    });
  });

  it.each([
    [
      "Approval(address,address,uint256)",
      "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
    ],
    [
      "ApprovalForAll(address,address,bool)",
      "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
    ],
    [
      "OwnershipTransferred(address,address)",
      "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0",
    ],
    [
      "RoleGranted(bytes32,address,address)",
      "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d",
    ],
    ["Paused(address)", "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258"],
    ["AdminChanged(address,address)", "0x7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f"],
    [
      "AnswerUpdated(int256,uint256,uint256)",
      "0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f",
    ],
    ["Sync(uint112,uint112)", "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"],
  ])("%s has the topic 0 used on chain, and is a well-known event", (text, topic0) => {
    expect(event(text).selector).toBe(topic0);
    expect(wellKnownAbi().events.has(topic0)).toBe(true);
  });
});

describe("an event signature without indexed", () => {
  const token = event("Transfer(address,address,uint256)").abi;

  it("is decoded in each well-known layout", () => {
    const erc20 = decodeLog(token, { topics: [transferTopic, topic(1), topic(2)], data: topic(3) });
    expect(erc20?.args).toMatchObject({ value: 3n, $2: 3n });
    const erc721 = decodeLog(token, { topics: [transferTopic, topic(1), topic(2), topic(3)], data: "0x" });
    expect(erc721?.args).toMatchObject({ tokenId: 3n, $2: 3n });
  });

  it("is decoded when no argument is in a topic, as some old tokens emit it", () => {
    const old = decodeLog(token, { topics: [transferTopic], data: `0x${word(1)}${word(2)}${word(3)}` });
    expect(old?.args.$2).toBe(3n);
  });

  it("uses the parameter names of the signature", () => {
    const { abi } = event("Transfer(address,address to,uint256 amount)");
    const { args = {} } =
      decodeLog(abi, { topics: [transferTopic, topic(1), topic(2)], data: topic(3) }) ?? {};
    expect(Object.keys(args)).toEqual(["from", "to", "amount", "$0", "$1", "$2"]);
  });

  it("is decoded when none or all of its arguments are topics, and otherwise not", () => {
    const { abi, selector } = event("Moved(uint256 a, uint256 b)");
    const args = { a: 1n, b: 2n, $0: 1n, $1: 2n };
    expect(decodeLog(abi, { topics: [selector], data: `0x${word(1)}${word(2)}` })?.args).toEqual(args);
    expect(decodeLog(abi, { topics: [selector, topic(1), topic(2)], data: "0x" })?.args).toEqual(args);
    expect(decodeLog(abi, { topics: [selector, topic(1)], data: topic(2) })).toBeUndefined();
  });

  it("with indexed uses only the given layout", () => {
    const { abi, selector } = event("event Moved(uint256 a, uint256 indexed b)");
    const decoded = decodeLog(abi, { topics: [selector, topic(2)], data: topic(1) });
    expect(decoded?.args).toMatchObject({ a: 1n, b: 2n });
    expect(decodeLog(abi, { topics: [selector], data: `0x${word(1)}${word(2)}` })).toBeUndefined();
  });
});

describe("canonicalFunction", () => {
  it.each([
    ["transfer(address,uint256)", "transfer(address,uint256)", "0xa9059cbb"],
    ["transfer(address to, uint256 amount)", "transfer(address,uint256)", "0xa9059cbb"],
    [
      "function transfer(address payable to, uint amount) external virtual returns (bool)",
      "transfer(address,uint256)",
      "0xa9059cbb",
    ],
    ["approve(address,uint)", "approve(address,uint256)", "0x095ea7b3"],
    ["transferFrom(address,address,uint256)", "transferFrom(address,address,uint256)", "0x23b872dd"],
    ["upgradeTo(address)", "upgradeTo(address)", "0x3659cfe6"],
    ["renounceOwnership()", "renounceOwnership()", "0x715018a6"],
    [
      "f(tuple(uint a, byte[] b)[2] memory x, (int,bool) calldata)",
      "f((uint256,bytes1[])[2],(int256,bool))",
      undefined,
    ],
  ])("normalises %s", (text, signature, selector) => {
    const result = canonicalFunction(text);
    expect(result).toMatchObject({ ok: true, signature, ...(selector && { selector }) });
  });

  it("keeps the return types", () => {
    const result = canonicalFunction("function totalSupply() view returns (uint supply)");
    expect(result.ok && result.item).toEqual({
      type: "function",
      name: "totalSupply",
      inputs: [],
      outputs: [{ name: "supply", type: "uint256" }],
      stateMutability: "view",
    });
  });
});

describe("an invalid signature", () => {
  it.each([
    ["", "ends too early"],
    ["Transfer", "ends too early"],
    ["Transfer(", "ends too early"],
    ["Transfer(address", "ends too early"],
    ["Transfer(address,)", 'unexpected ")"'],
    ["Transfer(address))", 'unexpected ")"'],
    ["(address)", 'unexpected "("'],
    ["5(address)", 'unexpected "5"'],
    ["f(addres)", '"addres" is unknown'],
    ["f(uint257)", '"uint257" is unknown'],
    ["f(uint256) wrong", 'unexpected "wrong"'],
    ["f(a-b)", 'unexpected "-"'],
    ["struct S { uint a; }", "tuple"],
    ["constructor(uint)", "expected"],
    [`f(${"bool,".repeat(64)}bool)`, "64"],
    ["f".repeat(2049), "2048 characters"],
  ])("is rejected with a sentence: %j", (text, message) => {
    for (const read of [canonicalEvent, canonicalFunction]) {
      expect(read(text)).toEqual({ ok: false, problem: expect.stringContaining(message) });
    }
  });

  it("is rejected when it is a function instead of an event, or the reverse", () => {
    expect(canonicalEvent("function f()").ok).toBe(false);
    expect(canonicalFunction("event E()").ok).toBe(false);
    expect(canonicalEvent("event E(uint a) anonymous").ok).toBe(false);
  });

  it("yields a problem and never an exception", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      ",",
      "[",
      "]",
      "[3]",
      "uint256",
      " ",
      "tuple",
      "indexed",
      "event ",
      "a",
      ";",
      "returns",
      "$",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (text) => {
          expect(canonicalEvent(text)).toHaveProperty("ok");
          expect(canonicalFunction(text)).toHaveProperty("ok");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("is parsed in linear time", () => {
    const start = cpuMs();
    for (const piece of ["(", "[", "a(", "f((", " ", ";", "; ", "[]", "a,", "f(tuple"]) {
      expect(canonicalEvent(piece.repeat(2048 / piece.length)).ok).toBe(false);
    }
    expect(cpuMs() - start).toBeLessThan(500);
  });
});
