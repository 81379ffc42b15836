import { z } from "zod";
import type { Steps } from "../../../lib/concurrency/steps.ts";
import { AbiProblem } from "../../decoding/abi-problem.ts";
import type { Definition } from "./borsh.ts";
import { discriminatorOf, snakeCase } from "./discriminator.ts";
import { type IdlField, readType } from "./idl-type.ts";

/** A field as an IDL has it, with an unparsed type. */
export type RawField = { name: string; type?: unknown };

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
const accountShape = z.looseObject({
  name: nameText,
  discriminator,
  type: z.looseObject({ fields: z.array(z.unknown()).max(256).optional() }).optional(),
});
const errorShape = z.looseObject({
  code: z.int().min(0).max(0xffff_ffff),
  name: nameText,
  msg: z.string().nullish(),
});
const typeShape = z.looseObject({ name: nameText, type: z.unknown() });
const membersShape = z.array(z.unknown()).max(256);
const variantShape = z.looseObject({ name: nameText, fields: z.unknown().optional() });

/** Checks an instruction and reduces it to what decoding needs; throws an AbiProblem. */
export function checkInstruction(raw: unknown) {
  const { name, discriminator, discriminant, accounts, args } = check(
    instructionShape,
    raw,
    "It is malformed",
  );
  const short = discriminant && [discriminant.value];
  return {
    name,
    discriminator: Buffer.from(discriminator ?? short ?? discriminatorOf("global", snakeCase(name))),
    fields: checkFields(args),
    accounts: accounts.flatMap((account) => accountNames(account)),
  };
}

/** Checks an event. Since Anchor 0.30, it has no fields of its own: they are in the type with its name. */
export function checkEvent(raw: unknown) {
  const { name, discriminator, fields } = check(eventShape, raw, "It is malformed");
  return {
    name,
    discriminator: Buffer.from(discriminator ?? discriminatorOf("event", name)),
    fields: fields && checkFields(fields),
  };
}

/** Checks a kind of account. Before Anchor 0.30, it has its fields itself; since then, they are in the type with its name. */
export function checkAccount(raw: unknown) {
  const { name, discriminator, type } = check(accountShape, raw, "It is malformed");
  const fields = type?.fields && check(z.array(field), type.fields, "Fields must have a name");
  return {
    name,
    discriminator: Buffer.from(discriminator ?? discriminatorOf("account", name)),
    fields: fields && checkFields(fields),
  };
}

/** An error of a program: its number, and what it is called. */
export type ProgramError = { code: number; name: string; message: string | null };

const maxMessage = 300;

export function checkProgramError(raw: unknown): ProgramError {
  const { code, name, msg } = check(errorShape, raw, "It is malformed");
  return { code, name, message: msg?.slice(0, maxMessage) ?? null };
}

/** Checks a named type in steps. */
export function* checkDefinition(raw: unknown): Steps<{ name: string; type: unknown }> {
  const { name, type } = check(typeShape, raw, "It is malformed");
  yield* readDefinition(type);
  return { name, type };
}

export function readFields(fields: readonly RawField[]): IdlField[] {
  return fields.map(({ name, type }) => ({ name, type: readType(type) }));
}

function checkFields(fields: readonly RawField[]): RawField[] {
  readFields(fields);
  return fields.map(({ name, type }) => ({ name, type }));
}

export function* readDefinition(type: unknown): Steps<Definition> {
  const { kind, fields, variants, alias, value } = (type ?? {}) as Record<string, unknown>;
  if (kind === "struct") return { kind, fields: readMembers(fields) };
  if (kind === "type" || kind === "alias") return { kind: "alias", type: readType(alias ?? value) };
  if (kind !== "enum" || !Array.isArray(variants) || variants.length > 256) {
    throw new AbiProblem("It must be a struct, an enum or an alias.");
  }
  const read: { name: string; fields: IdlField[] }[] = [];
  for (const variant of variants) {
    const checked = check(variantShape, variant, "A variant must have a name");
    read.push({ name: checked.name, fields: readMembers(checked.fields) });
    yield;
  }
  return { kind, variants: read };
}

/** The fields of a struct or a variant; those of a tuple are named by position. */
function readMembers(raw: unknown): IdlField[] {
  const list = check(membersShape, raw ?? [], "Fields must be a list");
  return list.map((one, index) => {
    const named = field.safeParse(one);
    return named.success
      ? { name: named.data.name, type: readType(named.data.type) }
      : { name: String(index), type: readType(one) };
  });
}

/** Flattens groups of accounts. */
function accountNames(raw: unknown, depth = 0): string[] {
  if (typeof raw !== "object" || raw === null) return [];
  const { name, accounts } = raw as { name?: unknown; accounts?: unknown };
  if (Array.isArray(accounts) && depth < 8) {
    return accounts.slice(0, 256).flatMap((account) => accountNames(account, depth + 1));
  }
  return [typeof name === "string" ? name.slice(0, 256) : ""];
}

export function check<T>(shape: z.ZodType<T>, raw: unknown, problem: string): T {
  const result = shape.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.length ? ` ${issue.path.join(".")}:` : "";
  throw new AbiProblem(`${problem}:${path} ${issue?.message ?? "malformed"}.`);
}
