import { expect, test } from "vitest";
import { tokenProgram } from "../accounts/address.ts";
import { readLogs } from "../transactions/program-logs.ts";
import type { SolanaTransaction } from "../transactions/transaction.ts";
import { type Idl, noIdl, parseIdl } from "./idl.ts";
import { failureOf } from "./program-failure.ts";

const program = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const inner = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const call = { accounts: [], data: Buffer.alloc(0), depth: 1, caller: null, position: 0 };
const custom = (code: number) => ({ InstructionError: [0, { Custom: code }] });

function failed(error: unknown, log: string[] = []): SolanaTransaction {
  const { lines, failedProgram } = readLogs(log);
  const tx = { is_success: false, error: JSON.stringify(error), failed_program: failedProgram, lines };
  return { ...tx, instructions: [{ ...call, program }] } as unknown as SolanaTransaction;
}

function idlOf(errors: unknown): Idl {
  const read = parseIdl({ instructions: [{ name: "swap", accounts: [], args: [] }], errors });
  if (!read.ok) throw new Error(read.problem);
  return read.idl;
}

const idl = idlOf([{ code: 6000, name: "Slippage", msg: "Too much slippage" }, { name: "NoCode" }]);
const codama = {
  kind: "rootNode",
  program: { instructions: [], errors: [{ kind: "errorNode", code: 7, name: "paused", message: "No." }] },
};

test.each([
  ["of the IDL", custom(6000), idl, [], { error_code: 6000, error_name: "Slippage" }],
  ["of an IDL of Codama", custom(7), parsed(codama), [], { error_name: "paused", error_message: "No." }],
  ["of Anchor", custom(2003), idl, [], { error_name: "ConstraintRaw", error_message: null }],
  ["that is not known", custom(6001), idl, [], { error_code: 6001, error_name: null }],
  ["without an IDL", custom(2003), noIdl, [], { error_code: 2003, error_name: null }],
  [
    "that an Anchor program logged",
    custom(6009),
    noIdl,
    [
      `Program ${program} invoke [1]`,
      "Program log: AnchorError thrown in lib.rs:7. Error Code: Frozen. Error Number: 6009. Error Message: The pool is frozen.",
      `Program ${program} failed: custom program error: 0x1779`,
    ],
    { error_name: "Frozen", error_message: "The pool is frozen" },
  ],
  [
    "of the program that was called",
    custom(6000),
    idl,
    [
      `Program ${program} invoke [1]`,
      `Program ${inner} invoke [2]`,
      `Program ${inner} failed: custom program error: 0x1770`,
      `Program ${program} failed: custom program error: 0x1770`,
    ],
    { error_program: inner, error_code: 6000, error_name: null },
  ],
  ["of the runtime", "AccountInUse", idl, [], { error_name: "AccountInUse", error_code: null }],
  [
    "of an instruction",
    { InstructionError: [0, "MissingRequiredSignature"] },
    idl,
    [],
    { error_program: program, error_name: "MissingRequiredSignature" },
  ],
  [
    "with details",
    { InsufficientFundsForRent: { account_index: 2 } },
    idl,
    [],
    { error_name: "InsufficientFundsForRent" },
  ],
  ["that is cut off or odd", [1], idl, [], { error_code: null }],
] as const)("a failed transaction has the error %s", (_, error, known, log, expected) => {
  expect(failureOf(failed(error, [...log]), program, known)).toMatchObject(expected);
});

test("an error of the token program has its name, and a transaction that succeeded has none", () => {
  const tx = failed(custom(1), [`Program ${tokenProgram} invoke [1]`, `Program ${tokenProgram} failed: x`]);
  expect(failureOf(tx, program, noIdl)).toMatchObject({ error_name: "InsufficientFunds" });
  expect(failureOf({ ...tx, is_success: true }, program, idl)).toBeUndefined();
});

function parsed(raw: unknown): Idl {
  const read = parseIdl(raw);
  if (!read.ok) throw new Error(read.problem);
  return read.idl;
}
