import { describe, expect, it } from "vitest";
import { tokenProgram } from "../accounts/address.ts";
import { decodeInstruction } from "./decode.ts";
import { type Idl, parseIdl } from "./idl.ts";

function idlOf(input: unknown): Idl {
  const read = parseIdl(input);
  if (!read.ok) throw new Error(read.problem);
  return read.idl;
}

describe("an IDL of Codama", () => {
  const u8 = { kind: "numberTypeNode", format: "u8", endian: "le" };
  const u32 = { kind: "numberTypeNode", format: "u32", endian: "le" };
  const u64 = { kind: "numberTypeNode", format: "u64", endian: "le" };
  const idl = idlOf({
    kind: "rootNode",
    standard: "codama",
    version: "1.0.0",
    program: {
      kind: "programNode",
      name: "vault",
      definedTypes: [
        {
          kind: "definedTypeNode",
          name: "mode",
          type: {
            kind: "enumTypeNode",
            size: u8,
            variants: [
              { kind: "enumEmptyVariantTypeNode", name: "off" },
              {
                kind: "enumTupleVariantTypeNode",
                name: "fee",
                tuple: { kind: "tupleTypeNode", items: [u64] },
              },
            ],
          },
        },
      ],
      instructions: [
        {
          kind: "instructionNode",
          name: "deposit",
          accounts: [{ kind: "instructionAccountNode", name: "vault" }],
          arguments: [
            {
              kind: "instructionArgumentNode",
              name: "discriminator",
              type: u8,
              defaultValue: { kind: "numberValueNode", number: 4 },
            },
            { kind: "instructionArgumentNode", name: "amount", type: u64 },
            {
              kind: "instructionArgumentNode",
              name: "note",
              type: { kind: "sizePrefixTypeNode", type: { kind: "stringTypeNode" }, prefix: u32 },
            },
            {
              kind: "instructionArgumentNode",
              name: "mode",
              type: { kind: "definedTypeLinkNode", name: "mode" },
            },
            {
              kind: "instructionArgumentNode",
              name: "pair",
              type: { kind: "tupleTypeNode", items: [u8, { kind: "booleanTypeNode", size: u8 }] },
            },
          ],
          discriminators: [{ kind: "fieldDiscriminatorNode", name: "discriminator", offset: 0 }],
        },
        {
          kind: "instructionNode",
          name: "close",
          accounts: [],
          arguments: [],
          discriminators: [
            {
              kind: "constantDiscriminatorNode",
              offset: 0,
              constant: {
                kind: "constantValueNode",
                type: { kind: "bytesTypeNode" },
                value: { kind: "bytesValueNode", data: "0a0b", encoding: "base16" },
              },
            },
          ],
        },
      ],
    },
  });

  it("decodes instructions with their accounts, texts, enums and tuples", () => {
    const data = [4, 7, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 104, 105, 1, 9, 0, 0, 0, 0, 0, 0, 0, 3, 1];
    const instruction = { ...instructionWith(Buffer.from(data)), accounts: [tokenProgram] };
    expect(decodeInstruction(idl, instruction)).toMatchObject({
      name: "deposit",
      args: {
        vault: tokenProgram,
        amount: 7n,
        note: "hi",
        mode: { variant: "fee", $0: 9n },
        pair: { $0: 3n, $1: true },
      },
    });
    expect(decodeInstruction(idl, instructionWith(Buffer.of(10, 11)))).toMatchObject({ name: "close" });
  });
});

function instructionWith(data: Buffer) {
  return { program: tokenProgram, accounts: [], data, depth: 1, caller: null, position: 0 };
}
