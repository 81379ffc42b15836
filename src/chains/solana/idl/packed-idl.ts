import { z } from "zod";
import { runAtOnce, type Steps } from "../../../lib/concurrency/steps.ts";
import { workerTask } from "../../../lib/concurrency/worker-pool.ts";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { fromCodama } from "./codama.ts";
import { check, checkDefinition, checkEvent, checkInstruction } from "./idl-entries.ts";

/**
 * A checked IDL as a thread returns it: what identifies each entry, and the rest as text. To copy parsed entries would block the
 * event loop longer than to parse them.
 */
export type PackedIdl = { instructions: PackedEntry[]; events: PackedEntry[]; types: PackedType[] };

export type PackedEntry = { name: string; discriminator: Uint8Array; json: string };
export type PackedType = { name: string; json: string };

const maxBytes = 5 * 1024 * 1024;
const shape = z.looseObject({
  instructions: z.array(z.unknown()).max(2000),
  events: z.array(z.unknown()).max(2000).nullish(),
  types: z.array(z.unknown()).max(5000).nullish(),
});

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
    types: yield* packTypes(raw.types ?? []),
    instructions: yield* packEntries("instruction", raw.instructions, checkInstruction),
    events: yield* packEntries("event", raw.events ?? [], checkEvent),
  };
}

function* packEntries(
  what: string,
  list: readonly unknown[],
  checkOne: (raw: unknown) => { name: string; discriminator: Buffer },
): Steps<PackedEntry[]> {
  const packed: PackedEntry[] = [];
  for (const [at, one] of list.entries()) {
    const { name, discriminator, ...rest } = checkAt(what, at, () => checkOne(one));
    packed.push({ name, discriminator: Uint8Array.from(discriminator), json: JSON.stringify(rest) });
    yield;
  }
  return packed;
}

/** A type that cannot be read is left out: only values of it are not decoded. */
function* packTypes(list: readonly unknown[]): Steps<PackedType[]> {
  const packed: PackedType[] = [];
  for (const one of list) {
    try {
      const { name, type } = yield* checkDefinition(one);
      packed.push({ name, json: JSON.stringify(type) });
    } catch (error) {
      if (!(error instanceof AbiProblem)) throw error;
    }
    yield;
  }
  return packed;
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

function checkAt<Result>(what: string, at: number, checkOne: () => Result): Result {
  try {
    return checkOne();
  } catch (error) {
    if (!(error instanceof AbiProblem)) throw error;
    throw new AbiProblem(`IDL ${what} ${at}: ${error.message}`);
  }
}
