import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import type { SolanaInstruction, SolanaTransaction } from "../transactions/transaction.ts";
import { decodeBorsh, decodeBorshPrefix } from "./borsh.ts";
import { snakeCase } from "./discriminator.ts";
import type { Idl, IdlEntry } from "./idl.ts";

/** A decoded instruction or event. `args` holds each argument by name and by position (`$0`). */
export type SolanaDecoded = { name: string; signature: string; args: Record<string, DecodedValue> };

/** An event that a program emitted, in its log or by a call to itself (CPI). */
export type ProgramEvent = { program: string; data: Buffer; via: "log" | "cpi"; position: number };

/** Anchor's discriminator of an instruction that carries an event. */
const eventTag = Buffer.from("e445a52e51cb9a1d", "hex");

/** Decodes an instruction; undefined when the IDL does not contain it. Malformed arguments are left out. */
export function decodeInstruction(
  idl: Idl,
  { data, accounts }: SolanaInstruction,
): SolanaDecoded | undefined {
  const entry = entryOf(idl.instructions, data);
  if (!entry) return undefined;
  const named = entry.accounts.flatMap((name, index): [string, DecodedValue][] =>
    name && accounts[index] ? [[name, accounts[index]]] : [],
  );
  const args = argsOf(idl, entry, data);
  // An argument takes precedence over an account with the same name.
  return { name: entry.name, signature: entry.name, args: { ...Object.fromEntries(named), ...args } };
}

export function decodeEvent(idl: Idl, { data }: Pick<ProgramEvent, "data">): SolanaDecoded | undefined {
  const entry = entryOf(idl.events, data);
  return entry && { name: entry.name, signature: entry.name, args: argsOf(idl, entry, data) };
}

/** Finds what kind of account data is, by the name in the IDL, else by its discriminator; undefined if it is none. */
export function kindOfAccount(idl: Idl, data: Buffer, name?: string): IdlEntry | undefined {
  const candidates = idl.accounts.filter((account) =>
    name === undefined ? account.discriminator.length > 0 : sameName(account.name, name),
  );
  return entryOf(candidates, data);
}

/** Decodes the fields of an account, as far as its data reaches. */
export function decodeAccount(
  idl: Idl,
  { fields, discriminator }: IdlEntry,
  data: Buffer,
): Record<string, DecodedValue> {
  return decodeBorshPrefix(fields, data.subarray(discriminator.length), idl.types);
}

/** Codama writes names in camel case, and Anchor those of types in Pascal case. */
function sameName(a: string, b: string): boolean {
  return snakeCase(a) === snakeCase(b);
}

/** The events of a transaction. A failed transaction has none, because its effects are reverted. */
export function eventsIn(tx: SolanaTransaction): ProgramEvent[] {
  if (!tx.is_success) return [];
  const logged = tx.lines.flatMap(({ program, kind, text }) =>
    kind === "data" ? [{ program, data: firstPart(text), via: "log" as const }] : [],
  );
  const called = tx.instructions.flatMap((instruction) =>
    isEventCall(instruction)
      ? [{ program: instruction.program, data: instruction.data.subarray(8), via: "cpi" as const }]
      : [],
  );
  return [...logged, ...called].map((event, position) => ({ ...event, position }));
}

/** True if a program called itself to emit an event. A call by another program is not an event, whatever its data. */
export function isEventCall({
  program,
  data,
  depth,
  caller,
}: Pick<SolanaInstruction, "program" | "data" | "depth" | "caller">): boolean {
  return depth > 1 && data.subarray(0, 8).equals(eventTag) && (caller === null || caller === program);
}

/** A program may log several fields in one line; the event is the first. */
function firstPart(text: string): Buffer {
  return Buffer.from(text.split(" ")[0] ?? "", "base64");
}

/** Finds the entry with the longest matching discriminator: a custom one may be a prefix of another. */
function entryOf(entries: readonly IdlEntry[], data: Buffer): IdlEntry | undefined {
  let best: IdlEntry | undefined;
  for (const entry of entries) {
    const { length } = entry.discriminator;
    if (length > (best?.discriminator.length ?? -1) && data.subarray(0, length).equals(entry.discriminator)) {
      best = entry;
    }
  }
  return best;
}

function argsOf(idl: Idl, { fields, discriminator }: IdlEntry, data: Buffer): Record<string, DecodedValue> {
  try {
    return decodeBorsh(fields, data.subarray(discriminator.length), idl.types);
  } catch (error) {
    if (error instanceof MalformedData) return {};
    throw error;
  }
}
