import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { expect, test } from "vitest";
import { AbiProblem } from "../../decoding/abi-problem.ts";
import { compileFields } from "./abi-type.ts";
import { encodeValues } from "./encode.ts";

type Parameter = { name: string; type: string; components?: Parameter[] };
type Typed = { parameter: Parameter; value: unknown };

const sized = (type: string, value: fc.Arbitrary<unknown>) =>
  value.map((one): Typed => ({ parameter: { name: "", type }, value: one }));
const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((one) => `0x${Buffer.from(one).toString("hex")}`);
const integer = fc
  .record({ bits: fc.integer({ min: 1, max: 32 }).map((n) => 8 * n), isSigned: fc.boolean() })
  .chain(({ bits, isSigned }) =>
    isSigned
      ? sized(`int${bits}`, fc.bigInt(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n))
      : sized(`uint${bits}`, fc.bigInt(0n, 2n ** BigInt(bits) - 1n)),
  );

const { any } = fc.letrec<{ any: Typed; list: Typed; tuple: Typed }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    integer,
    sized("bool", fc.boolean()),
    sized("string", fc.string()),
    sized("address", bytes(20)),
    sized("bytes", fc.integer({ min: 0, max: 70 }).chain(bytes)),
    fc.integer({ min: 1, max: 32 }).chain((length) => sized(`bytes${length}`, bytes(length))),
    tie("list"),
    tie("tuple"),
  ),
  list: fc
    .record({ of: tie("any"), count: fc.integer({ min: 0, max: 3 }), isFixed: fc.boolean() })
    .map(({ of, count, isFixed }) => ({
      parameter: { ...of.parameter, type: `${of.parameter.type}[${isFixed && count > 0 ? count : ""}]` },
      value: Array.from({ length: count }, () => of.value),
    })),
  tuple: fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((parts) => ({
    parameter: { name: "", type: "tuple", components: parts.map(({ parameter }) => parameter) },
    value: parts.map(({ value }) => value),
  })),
}));

test("values of any types are encoded as viem encodes them", () => {
  fc.assert(
    fc.property(fc.array(any, { maxLength: 4 }), (typed) => {
      const parameters = typed.map(({ parameter }) => parameter);
      const values = typed.map(({ value }) => value);
      expect(encodeValues(compileFields(parameters), values)).toBe(encodeAbiParameters(parameters, values));
    }),
  );
});

test("a tuple is given as a list or by names", () => {
  const fields = compileFields([
    {
      name: "call",
      type: "tuple",
      components: [
        { name: "to", type: "address" },
        { name: "data", type: "bytes" },
      ],
    },
  ]);
  const to = `0x${"11".repeat(20)}`;
  expect(encodeValues(fields, [{ data: "0x1234", to }])).toBe(encodeValues(fields, [[to, "0x1234"]]));
});

test.each([
  ["uint8", 256n, "256 does not fit into uint8."],
  ["uint8", -1, "-1 does not fit into uint8."],
  ["int8", 128n, "128 does not fit into int8."],
  ["uint256", 1.5, "1.5 is not a valid uint256."],
  ["bool", 1, "1 is not a valid bool."],
  ["address", "0x11", "address needs 20 bytes, but 1 were given."],
  ["bytes4", "0x1234", "bytes4 needs 4 bytes, but 2 were given."],
  ["bytes", "0x123", "0x123 is not a valid bytes."],
  ["uint8[2]", [1], "uint8[2] needs 2 values, but 1 were given."],
  ["uint8[]", "1", "1 is not a valid uint8[]."],
  ["string", 5, "5 is not a valid string."],
])("a value that is no %s is rejected: %s", (type, value, problem) => {
  expect(() => encodeValues(compileFields([{ name: "", type }]), [value])).toThrow(new AbiProblem(problem));
});
