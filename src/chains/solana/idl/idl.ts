import { runAtOnce } from "../../../lib/concurrency/steps.ts";
import type { Read } from "../../decoding/abi-problem.ts";
import type { Definition, Definitions } from "./borsh.ts";
import { type ProgramError, type RawField, readDefinition, readFields } from "./idl-entries.ts";
import type { IdlField } from "./idl-type.ts";
import { type PackedEntry, type PackedIdl, packIdl } from "./packed-idl.ts";

/** The interface of a program: its instructions, events, accounts and errors, and the types to decode them. */
export type Idl = {
  instructions: readonly IdlEntry[];
  events: readonly IdlEntry[];
  accounts: readonly IdlEntry[];
  types: Definitions;
  /** By their number. */
  errors: ReadonlyMap<number, ProgramError>;
};

/** An instruction, an event or a kind of account. Its data starts with the discriminator, followed by the fields. */
export type IdlEntry = {
  name: string;
  discriminator: Buffer;
  fields: IdlField[];
  /** The names of the accounts of an instruction, in order. */
  accounts: string[];
};

export const noIdl: Idl = {
  instructions: [],
  events: [],
  accounts: [],
  types: new Map(),
  errors: new Map(),
};

/** Parses an untrusted IDL of Anchor, of any version, or of Codama, as JSON or as text. */
export function parseIdl(input: unknown): Read<{ idl: Idl }> {
  const read = packIdl(input);
  return read.ok ? { ok: true, idl: unpackIdl(read.packed) } : read;
}

export function unpackIdl({ types: packedTypes, ...packed }: PackedIdl): Idl {
  const types = new LazyDefinitions(packedTypes);
  const unpack = (packedEntry: PackedEntry) => new LazyEntry(packedEntry, types);
  return {
    instructions: packed.instructions.map(unpack),
    events: packed.events.map(unpack),
    accounts: packed.accounts.map(unpack),
    types,
    errors: new Map(packed.errors.map((error) => [error.code, error])),
  };
}

/** Parsed at its first use, because most entries of an IDL are never used. */
class LazyEntry implements IdlEntry {
  readonly name: string;
  readonly discriminator: Buffer;
  readonly #json: string;
  readonly #types: Definitions;
  #parsed: Pick<IdlEntry, "fields" | "accounts"> | undefined;

  constructor({ name, discriminator, json }: PackedEntry, types: Definitions) {
    this.name = name;
    this.discriminator = Buffer.from(discriminator);
    this.#json = json;
    this.#types = types;
  }

  get fields(): IdlField[] {
    return this.#parse().fields;
  }

  get accounts(): string[] {
    return this.#parse().accounts;
  }

  #parse() {
    if (this.#parsed) return this.#parsed;
    const { fields, accounts = [] } = JSON.parse(this.#json) as { fields?: RawField[]; accounts?: string[] };
    this.#parsed = { fields: fields ? readFields(fields) : this.#fieldsOfType(), accounts };
    return this.#parsed;
  }

  /** Since Anchor 0.30, the fields of an event or an account are in the type with its name. */
  #fieldsOfType(): IdlField[] {
    const type = this.#types.get(this.name);
    return type?.kind === "struct" ? type.fields : [];
  }
}

/** Types by name, parsed at their first use. */
class LazyDefinitions implements Definitions {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, Definition>();

  constructor(types: PackedIdl["types"]) {
    this.#texts = new Map(types.map(({ name, json }) => [name, json]));
  }

  get size(): number {
    return this.#texts.size;
  }

  get(name: string): Definition | undefined {
    const text = this.#texts.get(name);
    const known = this.#parsed.get(name);
    if (known || text === undefined) return known;
    const parsed = runAtOnce(readDefinition(JSON.parse(text)));
    this.#parsed.set(name, parsed);
    return parsed;
  }
}
