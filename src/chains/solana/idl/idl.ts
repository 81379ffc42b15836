import { createHash } from "node:crypto";
import { z } from "zod";
import { runAtOnce, type Steps } from "../../../lib/concurrency/steps.ts";
import { AbiProblem, type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import type { Definition, Definitions } from "./borsh.ts";
import { fromCodama } from "./codama.ts";
import { type IdlField, readType } from "./idl-type.ts";

/** The interface of a program: its instructions and events, and the types to decode them. */
export type Idl = {
  instructions: readonly IdlEntry[];
  events: readonly IdlEntry[];
  types: Definitions;
};

/** An instruction or event. Its data starts with the discriminator, followed by the fields. */
export type IdlEntry = {
  name: string;
  discriminator: Buffer;
  fields: IdlField[];
  /** The names of the accounts of an instruction, in order. */
  accounts: string[];
};

export const noIdl: Idl = { instructions: [], events: [], types: new Map() };

const maxBytes = 5 * 1024 * 1024;
const nameText = z.string().min(1).max(256);
const discriminator = z.array(z.int().min(0).max(255)).max(64).optional();
const field = z.looseObject({ name: nameText, type: z.unknown() });
const instructionShape = z.looseObject({
  name: nameText,
  discriminator,
  discriminant: z.looseObject({ value: z.int().min(0).max(255) }).optional(),
  accounts: z.array(z.unknown()).max(512).default([]),
  args: z.array(field).max(256).default([]),
});
const eventShape = z.looseObject({
  name: nameText,
  discriminator,
  fields: z.array(field).max(256).optional(),
});
const typeShape = z.looseObject({ name: nameText, type: z.unknown() });
const membersShape = z.array(z.unknown()).max(256);
const variantShape = z.looseObject({ name: nameText, fields: z.unknown().optional() });
const shape = z.looseObject({
  instructions: z.array(z.unknown()).max(2000),
  events: z.array(z.unknown()).max(2000).nullish(),
  types: z.array(z.unknown()).max(5000).nullish(),
});

/** Parses an untrusted IDL of Anchor, of any version, or of Codama, as JSON or as text. */
export function parseIdl(input: unknown): Read<{ idl: Idl }> {
  return readOrProblem(() => ({ idl: runAtOnce(idlSteps(input)) }));
}

/** The same in steps; throws an AbiProblem. */
export function* idlSteps(input: unknown): Steps<Idl> {
  const parsed = parse(input);
  yield;
  const anchor = fromCodama(parsed) ?? parsed;
  yield;
  const raw = check(shape, anchor, "An IDL must be an object with a list of instructions");
  const types = new Map<string, Definition>();
  for (const one of raw.types ?? []) {
    for (const [name, definition] of yield* knownDefinition(one)) types.set(name, definition);
    yield;
  }
  const instructions: IdlEntry[] = [];
  for (const [at, one] of raw.instructions.entries()) {
    instructions.push(readAt("instruction", at, () => readInstruction(one)));
    yield;
  }
  const events: IdlEntry[] = [];
  for (const [at, one] of (raw.events ?? []).entries()) {
    events.push(readAt("event", at, () => readEvent(one, types)));
    yield;
  }
  return { instructions, events, types };
}

function readInstruction(raw: unknown): IdlEntry {
  const { name, discriminator, discriminant, accounts, args } = check(
    instructionShape,
    raw,
    "It is malformed",
  );
  const short = discriminant && [discriminant.value];
  return {
    name,
    discriminator: Buffer.from(discriminator ?? short ?? discriminatorOf("global", snakeCase(name))),
    fields: readFields(args),
    accounts: accounts.flatMap(accountNames),
  };
}

/** Since Anchor 0.30, the fields of an event are in the type with its name. */
function readEvent(raw: unknown, types: Definitions): IdlEntry {
  const { name, discriminator, fields } = check(eventShape, raw, "It is malformed");
  const defined = types.get(name);
  const own = fields ? readFields(fields) : defined?.kind === "struct" ? defined.fields : [];
  return {
    name,
    discriminator: Buffer.from(discriminator ?? discriminatorOf("event", name)),
    fields: own,
    accounts: [],
  };
}

/** A type that cannot be read is left out: only values of it are not decoded. */
function* knownDefinition(raw: unknown): Steps<[string, Definition][]> {
  try {
    return [yield* readDefinition(raw)];
  } catch (error) {
    if (error instanceof AbiProblem) return [];
    throw error;
  }
}

function* readDefinition(raw: unknown): Steps<[string, Definition]> {
  const { name, type } = check(typeShape, raw, "It is malformed");
  const { kind, fields, variants, alias, value } = (type ?? {}) as Record<string, unknown>;
  if (kind === "struct") return [name, { kind, fields: readMembers(fields) }];
  if (kind === "type" || kind === "alias") return [name, { kind: "alias", type: readType(alias ?? value) }];
  if (kind !== "enum" || !Array.isArray(variants) || variants.length > 256) {
    throw new AbiProblem("It must be a struct, an enum or an alias.");
  }
  const read: { name: string; fields: IdlField[] }[] = [];
  for (const variant of variants) {
    const one = check(variantShape, variant, "A variant must have a name");
    read.push({ name: one.name, fields: readMembers(one.fields) });
    yield;
  }
  return [name, { kind, variants: read }];
}

/** The fields of a struct or a variant; those of a tuple are named by position. */
function readMembers(raw: unknown): IdlField[] {
  const list = check(membersShape, raw ?? [], "Fields must be a list");
  return list.map((one, at) => {
    const named = field.safeParse(one);
    return named.success
      ? { name: named.data.name, type: readType(named.data.type) }
      : { name: String(at), type: readType(one) };
  });
}

function readFields(fields: { name: string; type?: unknown }[]): IdlField[] {
  return fields.map(({ name, type }) => ({ name, type: readType(type) }));
}

/** Flattens groups of accounts. */
function accountNames(raw: unknown, depth = 0): string[] {
  if (typeof raw !== "object" || raw === null) return [];
  const { name, accounts } = raw as { name?: unknown; accounts?: unknown };
  if (Array.isArray(accounts) && depth < 8) {
    return accounts.slice(0, 256).flatMap((one) => accountNames(one, depth + 1));
  }
  return [typeof name === "string" ? name.slice(0, 256) : ""];
}

/** Anchor's discriminator: the first eight bytes of a hash of the name. */
export function discriminatorOf(space: "global" | "event" | "account", name: string): Buffer {
  return createHash("sha256").update(`${space}:${name}`).digest().subarray(0, 8);
}

/** Converts a name to snake case, which is hashed; older IDLs use camel case. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

function parse(input: unknown): unknown {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  if (Buffer.byteLength(text) > maxBytes) throw new AbiProblem("An IDL may have at most 5 MB.");
  // An inspection returns the IDL as the only item of a list, in the shape of an ABI.
  if (Array.isArray(input) && input.length === 1) return input[0];
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    throw new AbiProblem("The IDL is not valid JSON.");
  }
}

function readAt<Result>(what: string, at: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AbiProblem)) throw error;
    throw new AbiProblem(`IDL ${what} ${at}: ${error.message}`);
  }
}

function check<T>(shape: z.ZodType<T>, raw: unknown, problem: string): T {
  const result = shape.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.length ? ` ${issue.path.join(".")}:` : "";
  throw new AbiProblem(`${problem}:${path} ${issue?.message ?? "malformed"}.`);
}
