import { type DecodedValue, MalformedData } from "../../decoding/decoded-value.ts";
import type { SolanaInstruction, SolanaTransaction } from "../transactions/transaction.ts";
import { decodeBorsh } from "./borsh.ts";
import type { Idl, IdlEntry } from "./idl.ts";

/** An instruction or an event in readable form; `args` by name and, as `$0`, by position. */
export type SolanaDecoded = { name: string; signature: string; args: Record<string, DecodedValue> };

/** An event that a program emitted, in its log or by calling itself. */
export type ProgramEvent = { program: string; data: Buffer; via: "log" | "cpi"; position: number };

/** Anchor's mark of an instruction that is an event, which a program sends to itself. */
const eventTag = Buffer.from("e445a52e51cb9a1d", "hex");

/** Undefined when the IDL has no such instruction. One whose arguments do not fit is known by name only. */
export function decodeInstruction(
  idl: Idl,
  { data, accounts }: SolanaInstruction,
): SolanaDecoded | undefined {
  const entry = entryOf(idl.instructions, data);
  if (!entry) return undefined;
  const named = entry.accounts.flatMap((name, at): [string, DecodedValue][] =>
    name && accounts[at] ? [[name, accounts[at]]] : [],
  );
  const args = argsOf(idl, entry, data);
  // An argument has the name before an account that is called the same.
  return { name: entry.name, signature: entry.name, args: { ...Object.fromEntries(named), ...args } };
}

export function decodeEvent(idl: Idl, { data }: Pick<ProgramEvent, "data">): SolanaDecoded | undefined {
  const entry = entryOf(idl.events, data);
  return entry && { name: entry.name, signature: entry.name, args: argsOf(idl, entry, data) };
}

/** What a transaction emitted. One that failed has undone everything, its events too. */
export function eventsIn(tx: SolanaTransaction): ProgramEvent[] {
  if (!tx.is_success) return [];
  const logged = tx.lines.flatMap(({ program, kind, text }) =>
    kind === "data" ? [{ program, data: firstPart(text), via: "log" as const }] : [],
  );
  const called = tx.instructions.flatMap((one) =>
    isEventCall(one) ? [{ program: one.program, data: one.data.subarray(8), via: "cpi" as const }] : [],
  );
  return [...logged, ...called].map((event, position) => ({ ...event, position }));
}

/** Whether a program called itself to have an event on record. What another calls it with is no event of it, whatever it says. */
export function isEventCall({
  program,
  data,
  depth,
  caller,
}: Pick<SolanaInstruction, "program" | "data" | "depth" | "caller">): boolean {
  return depth > 1 && data.subarray(0, 8).equals(eventTag) && (caller === null || caller === program);
}

/** A program may log several parts at once; an event is the first. */
function firstPart(text: string): Buffer {
  return Buffer.from(text.split(" ")[0] ?? "", "base64");
}

/** The longest discriminator that fits: a custom one may be the beginning of another. */
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
