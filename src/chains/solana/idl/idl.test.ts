import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MalformedData } from "../../decoding/decoded-value.ts";
import { packAccount } from "../accounts/account-state.ts";
import { bytesOfAddress, tokenProgram } from "../accounts/address.ts";
import { idlIn } from "../accounts/program-account.ts";
import { decodeBorsh } from "./borsh.ts";
import { decodeEvent, decodeInstruction } from "./decode.ts";
import { discriminatorOf, snakeCase } from "./discriminator.ts";
import { type Idl, parseIdl } from "./idl.ts";
import { readType } from "./idl-type.ts";

function idlOf(input: unknown): Idl {
  const read = parseIdl(input);
  if (!read.ok) throw new Error(read.problem);
  return read.idl;
}

const current = {
  address: tokenProgram,
  metadata: { name: "vault", version: "0.1.0", spec: "0.1.0" },
  instructions: [
    {
      name: "deposit",
      discriminator: [1, 2, 3, 4, 5, 6, 7, 8],
      accounts: [{ name: "vault" }, { name: "who", accounts: [{ name: "owner" }, { name: "purse" }] }],
      args: [
        { name: "amount", type: "u64" },
        { name: "mode", type: { defined: { name: "Mode" } } },
      ],
    },
    { name: "tick", discriminator: [9], accounts: [], args: [] },
  ],
  events: [{ name: "Deposited", discriminator: [8, 8, 8, 8, 8, 8, 8, 8] }],
  types: [
    {
      name: "Deposited",
      type: {
        kind: "struct",
        fields: [
          { name: "who", type: "pubkey" },
          { name: "amount", type: "u128" },
        ],
      },
    },
    {
      name: "Mode",
      type: {
        kind: "enum",
        variants: [
          { name: "Plain" },
          { name: "Fee", fields: ["u16"] },
          { name: "To", fields: [{ name: "who", type: "pubkey" }] },
        ],
      },
    },
  ],
};

const legacy = {
  version: "0.1.0",
  name: "vault",
  instructions: [{ name: "setFeeV2", accounts: [], args: [{ name: "fee", type: { option: "i64" } }] }],
  events: [
    {
      name: "TransferEvent",
      fields: [
        { name: "to", type: "publicKey", index: false },
        { name: "memo", type: "string" },
      ],
    },
  ],
};

const at = { program: tokenProgram, depth: 1, caller: null, position: 0 };

describe("parseIdl", () => {
  it("reads the discriminators, account groups and types of a current IDL", () => {
    const idl = idlOf(JSON.stringify(current));
    const data = Buffer.concat([
      Buffer.of(1, 2, 3, 4, 5, 6, 7, 8),
      Buffer.from("e803000000000000", "hex"),
      Buffer.of(1, 10, 0),
    ]);
    const accounts = ["VaultAddress", "OwnerAddress", "PurseAddress"];
    expect(decodeInstruction(idl, { ...at, accounts, data })).toEqual({
      name: "deposit",
      signature: "deposit",
      args: {
        vault: "VaultAddress",
        owner: "OwnerAddress",
        purse: "PurseAddress",
        amount: 1000n,
        mode: { variant: "Fee", "0": 10n, $0: 10n },
        $0: 1000n,
        $1: { variant: "Fee", "0": 10n, $0: 10n },
      },
    });
    const event = Buffer.concat([
      Buffer.alloc(8, 8),
      bytesOfAddress(tokenProgram),
      Buffer.of(5),
      Buffer.alloc(15),
    ]);
    expect(decodeEvent(idl, { data: event })).toMatchObject({
      name: "Deposited",
      args: { who: tokenProgram, amount: 5n },
    });
  });

  it("computes the discriminators of an IDL from before 0.30", () => {
    const idl = idlOf(legacy);
    const some = Buffer.concat([discriminatorOf("global", "set_fee_v2"), Buffer.of(1), Buffer.alloc(8, 255)]);
    expect(decodeInstruction(idl, { ...at, accounts: [], data: some })?.args).toMatchObject({ fee: -1n });
    const text = Buffer.concat([
      discriminatorOf("event", "TransferEvent"),
      Buffer.alloc(32),
      Buffer.of(2, 0, 0, 0),
      Buffer.from("hi"),
    ]);
    expect(decodeEvent(idl, { data: text })?.args).toMatchObject({
      to: "11111111111111111111111111111111",
      memo: "hi",
    });
  });

  it("computes the same discriminators as Anchor", () => {
    expect(discriminatorOf("global", "initialize").toString("hex")).toBe("afaf6d1f0d989bed");
    expect(discriminatorOf("global", "transfer").toString("hex")).toBe("a334c8e78c0345ba");
    expect(discriminatorOf("event", "TransferEvent").toString("hex")).toBe("640a2e71081cb37d");
    expect(["initializeV2", "setXYZFee", "already_snake", "mintTo"].map(snakeCase)).toEqual([
      "initialize_v2",
      "set_xyz_fee",
      "already_snake",
      "mint_to",
    ]);
  });

  it("decodes the name of an instruction with malformed arguments, by the longest matching discriminator", () => {
    const idl = idlOf({
      instructions: [...current.instructions, { name: "tock", discriminator: [9, 9], args: [] }],
    });
    expect(
      decodeInstruction(idl, { ...at, accounts: [], data: Buffer.of(1, 2, 3, 4, 5, 6, 7, 8, 1) }),
    ).toEqual({
      name: "deposit",
      signature: "deposit",
      args: {},
    });
    expect(decodeInstruction(idl, { ...at, accounts: [], data: Buffer.of(9, 9) })?.name).toBe("tock");
    expect(decodeInstruction(idl, { ...at, accounts: [], data: Buffer.of(7) })).toBeUndefined();
  });

  it.each([
    ["a list", [], "An IDL must be an object with a list of instructions"],
    ["an ABI", { abi: [] }, "An IDL must be an object with a list of instructions"],
    ["invalid JSON", "{", "The IDL is not valid JSON."],
    ["a nameless instruction", { instructions: [{ args: [] }] }, "IDL instruction 0: It is malformed"],
  ])("rejects an IDL that is %s with a sentence", (_, input, problem) => {
    expect(parseIdl(input)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("reads an IDL from its account, unless the decompressed data is too large or invalid", () => {
    const account = (content: Buffer) => {
      const head = Buffer.alloc(44);
      head.writeUInt32LE(content.length, 40);
      const data = Buffer.concat([head, content, Buffer.alloc(100)]);
      return {
        ok: true as const,
        data: packAccount({ owner: tokenProgram, isExecutable: false, lamports: 1n, data }),
      };
    };
    expect(idlIn(account(deflateSync(JSON.stringify(legacy))))).toEqual(legacy);
    expect(idlIn(account(deflateSync(Buffer.alloc(20_000_000))))).toBeUndefined();
    expect(idlIn(account(Buffer.from("not compressed")))).toBeUndefined();
    expect(idlIn({ ok: true, data: "0x" })).toBeUndefined();
  });
});

describe("an IDL with types that are unknown", () => {
  const idl = idlOf({
    instructions: [
      {
        name: "swap",
        discriminator: [1],
        accounts: [],
        args: [
          { name: "amount", type: "u64" },
          { name: "route", type: { hashMap: ["u8", "u8"] } },
          { name: "limit", type: "u64" },
        ],
      },
      { name: "pause", discriminator: [2], accounts: [], args: [{ name: "by", type: { defined: "Who" } }] },
      { name: "stop", discriminator: [3], accounts: [], args: [{ name: "code", type: "u8" }] },
    ],
    types: [{ name: "Who", type: { kind: "union", members: [] } }],
  });
  const decode = (data: number[]) => decodeInstruction(idl, instructionWith(Buffer.from(data)))?.args;

  it("decodes what comes before them, and all other instructions", () => {
    expect(decode([1, 7, 0, 0, 0, 0, 0, 0, 0, 9, 9])).toEqual({ amount: 7n, $0: 7n });
    expect(decode([2, 1])).toEqual({});
    expect(decode([3, 5])).toEqual({ code: 5n, $0: 5n });
  });
});

function instructionWith(data: Buffer) {
  return { program: tokenProgram, accounts: [], data, depth: 1, caller: null, position: 0 };
}

describe("hostile Borsh data", () => {
  const types = idlOf(current).types;
  const written = [
    "u8",
    "i128",
    "bool",
    "string",
    "bytes",
    "pubkey",
    "f64",
    { option: "u64" },
    { coption: "pubkey" },
    { vec: { vec: "u8" } },
    { vec: { defined: "Mode" } },
    { array: ["u16", 3] },
    { defined: { name: "Deposited" } },
    { defined: "Nowhere" },
  ];

  it("is rejected or decoded within bounds", () => {
    fc.assert(
      fc.property(fc.constantFrom(...written), fc.uint8Array({ maxLength: 80 }), (raw, bytes) => {
        try {
          decodeBorsh([{ name: "value", type: readType(raw) }], Buffer.from(bytes), types);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedData);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("cannot cause endless decoding of a recursive type or of a list of empty elements", () => {
    const endless = idlOf({
      instructions: [],
      types: [
        { name: "A", type: { kind: "struct", fields: [{ name: "a", type: { defined: "A" } }] } },
        { name: "Empty", type: { kind: "struct", fields: [] } },
      ],
    }).types;
    const read = (raw: unknown, data: Buffer) => () =>
      decodeBorsh([{ name: "v", type: readType(raw) }], data, endless);
    expect(read({ defined: "A" }, Buffer.alloc(10))).toThrow(MalformedData);
    expect(read({ vec: { defined: "Empty" } }, Buffer.alloc(4, 255))).toThrow(MalformedData);
  });
});
