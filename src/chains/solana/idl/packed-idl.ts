import { z } from "zod";
import { runAtOnce, type Steps } from "../../../lib/concurrency/steps.ts";
import { workerTask } from "../../../lib/concurrency/worker-pool.ts";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { fromCodama } from "./codama.ts";
import {
  check,
  checkAccount,
  checkDefinition,
  checkEvent,
  checkInstruction,
  checkProgramError,
  type ProgramError,
} from "./idl-entries.ts";

/**
 * A checked IDL as a thread returns it: what identifies each entry, and the rest as text. To copy parsed entries would block the
 * event loop longer than to parse them.
 */
export type PackedIdl = {
  instructions: PackedEntry[];
  events: PackedEntry[];
  accounts: PackedEntry[];
  types: PackedType[];
  errors: ProgramError[];
};

export type PackedEntry = { name: string; discriminator: Uint8Array; json: string };
export type PackedType = { name: string; json: string };

const maxBytes = 5 * 1024 * 1024;
const shape = z.looseObject({
  instructions: z.array(z.unknown()).max(2000),
  events: z.array(z.unknown()).max(2000).nullish(),
  types: z.array(z.unknown()).max(5000).nullish(),
  accounts: z.unknown().optional(),
  errors: z.unknown().optional(),
});
const maxAccounts = 2_000;
const maxErrors = 5_000;

/** Checks and packs an untrusted IDL of Anchor, of any version, or of Codama, as JSON or as text. */
export function packIdl(input: unknown): Read<{ packed: PackedIdl }> {
  return readOrProblem(() => ({ packed: runAtOnce(packIdlSteps(input)) }));
}

export const packIdlTask = workerTask("src/chains/solana/idl/packed-idl.ts", packIdl, 3_000);

/** The same in steps; throws an AbiProblem. */
export function* packIdlSteps(input: unknown): Steps<PackedIdl> {
  const parsed = parse(input);
  yield;
  const anchor = fromCodama(parsed) ?? parsed;
  yield;
  const raw = check(shape, anchor, "An IDL must be an object with a list of instructions");
  return {
    types: yield* packReadable(raw.types ?? [], checkDefinition, ({ name, type }) => ({
      name,
      json: JSON.stringify(type),
    })),
    instructions: yield* packEntries("instruction", raw.instructions, checkInstruction),
    events: yield* packEntries("event", raw.events ?? [], checkEvent),
    accounts: yield* packReadable(listIn(raw.accounts, maxAccounts), inOneStep(checkAccount), packEntry),
    errors: yield* packReadable(
      listIn(raw.errors, maxErrors),
      inOneStep(checkProgramError),
      (programError) => programError,
    ),
  };
}

function* packEntries(
  what: string,
  list: readonly unknown[],
  checkOne: (raw: unknown) => CheckedEntry,
): Steps<PackedEntry[]> {
  const packed: PackedEntry[] = [];
  for (const [index, entry] of list.entries()) {
    packed.push(packEntry(checkAt(what, index, () => checkOne(entry))));
    yield;
  }
  return packed;
}

type CheckedEntry = { name: string; discriminator: Buffer };

function packEntry({ name, discriminator, ...rest }: CheckedEntry): PackedEntry {
  return { name, discriminator: Uint8Array.from(discriminator), json: JSON.stringify(rest) };
}

/** A type, an account or an error that cannot be read is left out: only values of it are not decoded. */
function* packReadable<Checked, Packed>(
  list: readonly unknown[],
  checkOne: (raw: unknown) => Steps<Checked>,
  pack: (checked: Checked) => Packed,
): Steps<Packed[]> {
  const packed: Packed[] = [];
  for (const entry of list) {
    try {
      packed.push(pack(yield* checkOne(entry)));
    } catch (error) {
      if (!(error instanceof AbiProblem)) throw error;
    }
    yield;
  }
  return packed;
}

function inOneStep<Checked>(checkOne: (raw: unknown) => Checked): (raw: unknown) => Steps<Checked> {
  // biome-ignore lint/correctness/useYield: A single entry is checked at once.
  return function* (raw) {
    return checkOne(raw);
  };
}

function listIn(raw: unknown, max: number): unknown[] {
  return Array.isArray(raw) ? raw.slice(0, max) : [];
}

function parse(input: unknown): unknown {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  if (Buffer.byteLength(text) > maxBytes) throw new AbiProblem("An IDL may have at most 5 MB.");
  const value = typeof input === "string" ? fromJson(input) : input;
  // An inspection returns the IDL as the only item of a list, in the shape of an ABI.
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AbiProblem("The IDL is not valid JSON.");
  }
}

function checkAt<Result>(what: string, offset: number, checkOne: () => Result): Result {
  try {
    return checkOne();
  } catch (error) {
    if (!(error instanceof AbiProblem)) throw error;
    throw new AbiProblem(`IDL ${what} ${offset}: ${error.message}`);
  }
}
