import { expect, test } from "vitest";
import { solanaSubject, start } from "../../../test/meters/scripted-activity.ts";
import { packAccount } from "../../chains/solana/accounts/account-state.ts";
import { bytesOfAddress, tokenProgram } from "../../chains/solana/accounts/address.ts";
import { discriminatorOf } from "../../chains/solana/idl/discriminator.ts";
import { parseIdl } from "../../chains/solana/idl/idl.ts";
import type { TimedReading } from "../meter.ts";
import { accountField } from "./account-field.ts";

const fields = [
  { name: "admin", type: "pubkey" },
  { name: "limits", type: { array: [{ defined: { name: "Limit" } }, 2] } },
  { name: "ratio", type: "f64" },
  { name: "cap", type: { option: "u64" } },
  { name: "odd", type: { hashMap: ["u8", "u8"] } },
  { name: "beyond", type: "u8" },
];
const limit = {
  name: "Limit",
  type: {
    kind: "struct",
    fields: [
      { name: "maxAmount", type: "u64" },
      { name: "isPaused", type: "bool" },
    ],
  },
};
const vault = { name: "Vault", type: { kind: "struct", fields } };
const legacy = {
  instructions: [],
  accounts: [{ ...vault, type: { ...vault.type, fields: legacyFields() } }, { name: 7 }],
  types: [limit],
};
const current = {
  instructions: [],
  accounts: [{ name: "Vault", discriminator: [...discriminatorOf("account", "Vault")] }],
  types: [vault, limit],
};
const number = (format: string) => ({ kind: "numberTypeNode", format, endian: "le" });
const codama = {
  kind: "rootNode",
  program: {
    instructions: [],
    definedTypes: [],
    accounts: [
      {
        name: "vault",
        discriminators: [{ kind: "fieldDiscriminatorNode", name: "discriminator", offset: 0 }],
        data: {
          kind: "structTypeNode",
          fields: [
            {
              name: "discriminator",
              type: { kind: "fixedSizeTypeNode", size: 8, type: { kind: "bytesTypeNode" } },
              defaultValue: {
                kind: "bytesValueNode",
                encoding: "base16",
                data: discriminatorOf("account", "Vault").toString("hex"),
              },
            },
            { name: "admin", type: { kind: "publicKeyTypeNode" } },
            {
              name: "limits",
              type: {
                kind: "arrayTypeNode",
                count: { kind: "fixedCountNode", value: 2 },
                item: {
                  kind: "structTypeNode",
                  fields: [
                    { name: "maxAmount", type: number("u64") },
                    { name: "isPaused", type: { kind: "booleanTypeNode", size: number("u8") } },
                  ],
                },
              },
            },
            { name: "ratio", type: number("f64") },
            {
              name: "cap",
              type: { kind: "optionTypeNode", prefix: number("u8"), item: number("u64") },
            },
            { name: "odd", type: { kind: "mapTypeNode" } },
          ],
        },
      },
    ],
  },
};

function legacyFields() {
  const renamed: Record<string, unknown> = {
    admin: "publicKey",
    limits: { array: [{ defined: "Limit" }, 2] },
  };
  return fields.map(({ name, type }) => ({ name, type: renamed[name] ?? type }));
}

function dataOf({ admin = tokenProgram, amount = 5n, isPaused = false, cap = 0n } = {}): Buffer {
  const limitOf = (max: bigint) => {
    const bytes = Buffer.alloc(9);
    bytes.writeBigUInt64LE(max);
    bytes[8] = isPaused ? 1 : 0;
    return bytes;
  };
  const tail = Buffer.alloc(8 + 1 + (cap ? 8 : 0));
  tail.writeDoubleLE(0.25);
  tail[8] = cap ? 1 : 0;
  if (cap) tail.writeBigUInt64LE(cap, 9);
  const head = [discriminatorOf("account", "Vault"), bytesOfAddress(admin)];
  return Buffer.concat([...head, limitOf(1n), limitOf(amount), tail, Buffer.alloc(40)]);
}

const otherAdmin = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";

function measure(idl: unknown, config: object, data = dataOf(), previous?: TimedReading) {
  const read = idl === undefined ? undefined : parseIdl(idl);
  if (read && !read.ok) throw new Error(read.problem);
  const subject = { ...solanaSubject, ...(read && { idl: read.idl }) };
  const result = {
    ok: true as const,
    data: packAccount({ owner: tokenProgram, isExecutable: false, lamports: 1n, data }),
  };
  const parsed = accountField.config.parse(config);
  return accountField.interpret?.(parsed, [result], subject, { time: start, previous });
}

test.each([
  ["Anchor before 0.30", legacy],
  ["Anchor since 0.30", current],
  ["Codama", codama],
])("a field of an account is decoded by an IDL of %s", (_, idl) => {
  const data = dataOf({ amount: 12_345n, isPaused: true, cap: 9n });
  const value = (field: string, more = {}) => measure(idl, { field, ...more }, data);
  expect(value("limits.1.maxAmount", { decimals: 2 })).toMatchObject({ value: 123.45 });
  expect(value("limits.0.max_amount")).toMatchObject({ value: 1, evidence: { account_type: /^vault$/i } });
  expect(value("limits.1.isPaused")).toMatchObject({ value: 1, evidence: { returned: true } });
  expect(value("ratio")).toMatchObject({ value: 0.25 });
  expect(value("cap", { account_type: "vault" })).toMatchObject({ value: 9 });
  const before = { ...(value("admin") as TimedReading), height: 1, time: start };
  expect(before).toMatchObject({ value: 0, evidence: { state: tokenProgram } });
  expect(measure(idl, { field: "admin" }, dataOf({ admin: otherAdmin }), before)).toMatchObject({
    value: 1,
    evidence: { state: otherAdmin, previous_state: tokenProgram },
  });
});

test("what cannot be decoded is a problem that says what is wrong", () => {
  const problem = (config: object, data = dataOf(), idl: unknown = current) => measure(idl, config, data);
  expect(problem({ field: "nothing" })).toEqual({
    problem: "The IDL has no field nothing of a known type in Vault.",
  });
  expect(problem({ field: "odd" })).toMatchObject({ problem: expect.stringContaining("no field odd") });
  expect(problem({ field: "cap" })).toEqual({ problem: "cap has no value." });
  expect(problem({ field: "beyond" })).toEqual({ problem: "The data of the account ends before beyond." });
  expect(problem({ field: "ratio" }, dataOf().subarray(0, 50))).toEqual({
    problem: "The data of the account ends before ratio.",
  });
  expect(problem({ field: "ratio" }, Buffer.alloc(0))).toEqual({
    problem: "The account is none of those in the IDL.",
  });
  expect(problem({ field: "ratio", account_type: "Pool" })).toEqual({
    problem: "The account is not a Pool of the IDL.",
  });
  expect(problem({ field: "ratio" }, dataOf(), { instructions: [] })).toMatchObject({
    problem: expect.stringContaining("There is no IDL with accounts"),
  });
});
