import { fromBase58 } from "../accounts/address.ts";

type Node = Record<string, unknown>;

/** The types that a Codama IDL describes in place; Anchor has a name for each. */
type Inline = { name: string; type: unknown }[];

/**
 * Converts an IDL of Codama to the form of Anchor, which is parsed like any other; undefined if it is not one. What the form
 * of Anchor cannot express becomes a type that the parser does not know, and is skipped alone.
 */
export function fromCodama(raw: unknown): unknown {
  const { kind, program } = nodeOf(raw);
  const { instructions, definedTypes, events, accounts, errors } = nodeOf(program);
  if (kind !== "rootNode" || !Array.isArray(instructions)) return undefined;
  const inline: Inline = [];
  const types = nodesIn(definedTypes).map((node) => ({
    name: node.name,
    type: definitionOf(node.type, inline),
  }));
  return {
    instructions: nodesIn(instructions).map((node) => toInstruction(node, inline)),
    events: nodesIn(events).map((node) => toEvent(node, inline)),
    accounts: nodesIn(accounts).map((node) => toAccount(node, inline)),
    errors: nodesIn(errors).map(({ code, name, message }) => ({ code, name, msg: message })),
    types: [...types, ...inline],
  };
}

function toInstruction(node: Node, inline: Inline) {
  const all = nodesIn(node.arguments);
  const { discriminator, field } = discriminatorIn(node, all);
  return {
    name: node.name,
    accounts: nodesIn(node.accounts).map(({ name }) => ({ name })),
    ...(discriminator && { discriminator }),
    args: all
      .filter(({ name }) => name !== field)
      .map(({ name, type }) => ({ name, type: typeOf(type, inline) })),
  };
}

function toEvent(node: Node, inline: Inline) {
  const fields = nodesIn(nodeOf(node.data).fields);
  const { discriminator, field } = discriminatorIn(node, fields);
  return {
    name: node.name,
    ...(discriminator && { discriminator }),
    fields: fields
      .filter(({ name }) => name !== field)
      .map(({ name, type }) => ({ name, type: typeOf(type, inline) })),
  };
}

/** An account without a discriminator that is known has all of its data as fields. */
function toAccount(node: Node, inline: Inline) {
  const fields = nodesIn(nodeOf(node.data).fields);
  const { discriminator = [], field } = discriminatorIn(node, fields);
  const others = fields.filter(({ name }) => name !== field);
  const type = { fields: others.map(({ name, type }) => ({ name, type: typeOf(type, inline) })) };
  return { name: node.name, discriminator, type };
}

/** The bytes with which the data begins, and the field that holds them. */
function discriminatorIn(node: Node, fields: Node[]): { discriminator?: number[]; field?: unknown } {
  const discriminator = nodesIn(node.discriminators).find(({ offset }) => (offset ?? 0) === 0);
  if (discriminator?.kind === "constantDiscriminatorNode") {
    const { type, value } = nodeOf(discriminator.constant);
    const bytes = bytesOf(nodeOf(value), type);
    return bytes ? { discriminator: bytes } : {};
  }
  const field = fields.find(
    ({ name }) => discriminator?.kind === "fieldDiscriminatorNode" && name === discriminator.name,
  );
  const bytes = field && bytesOf(nodeOf(field.defaultValue), field.type);
  return bytes ? { discriminator: bytes, field: field?.name } : {};
}

function bytesOf({ kind, data, encoding, number }: Node, type: unknown): number[] | undefined {
  if (
    kind === "numberValueNode" &&
    typeof number === "number" &&
    Number.isSafeInteger(number) &&
    number >= 0
  ) {
    const size = Number(/^u(8|16|32|64)$/.exec(String(nodeOf(type).format))?.[1] ?? 8) / 8;
    return Array.from({ length: size }, (_, index) => Math.floor(number / 256 ** index) % 256);
  }
  if (kind !== "bytesValueNode" || typeof data !== "string") return undefined;
  if (encoding === "base58") return [...(fromBase58(data) ?? [])];
  const names = { base16: "hex", base64: "base64", utf8: "utf8" } as const;
  const name = names[encoding as keyof typeof names];
  return name && [...Buffer.from(data, name)];
}

/** A type with a name: a struct, an enum, or another name of a type. */
function definitionOf(raw: unknown, inline: Inline): unknown {
  const { kind, fields, items, variants, size } = nodeOf(raw);
  if (kind === "structTypeNode") return { kind: "struct", fields: membersOf(fields, inline) };
  if (kind === "tupleTypeNode")
    return { kind: "struct", fields: nodesIn(items).map((item) => typeOf(item, inline)) };
  if (kind === "enumTypeNode" && isFormat(size, "u8"))
    return { kind: "enum", variants: nodesIn(variants).map((variant) => variantOf(variant, inline)) };
  return { kind: "type", alias: typeOf(raw, inline) };
}

function variantOf({ name, struct, tuple }: Node, inline: Inline) {
  if (struct) return { name, fields: membersOf(nodeOf(struct).fields, inline) };
  return tuple
    ? { name, fields: nodesIn(nodeOf(tuple).items).map((item) => typeOf(item, inline)) }
    : { name };
}

function membersOf(raw: unknown, inline: Inline) {
  return nodesIn(raw).map(({ name, type }) => ({ name, type: typeOf(type, inline) }));
}

/** Layouts of numbers, texts and lists that differ from Borsh are unknown. */
function typeOf(raw: unknown, inline: Inline): unknown {
  const node = nodeOf(raw);
  const { kind, format, endian, item, prefix, type, number, size, count, name } = node;
  switch (kind) {
    case "numberTypeNode":
      return endian === "be" ? unknown(raw) : format;
    case "amountTypeNode":
    case "solAmountTypeNode":
    case "dateTimeTypeNode":
      return typeOf(number, inline);
    case "publicKeyTypeNode":
      return "pubkey";
    case "booleanTypeNode":
      return size === undefined || isFormat(size, "u8") ? "bool" : unknown(raw);
    case "sizePrefixTypeNode":
      return isFormat(prefix, "u32") ? prefixedOf(type) : unknown(raw);
    case "fixedSizeTypeNode":
      return { array: ["u8", size] };
    case "optionTypeNode":
      if (prefix !== undefined && isFormat(prefix, "u32")) return { coption: typeOf(item, inline) };
      return prefix === undefined || isFormat(prefix, "u8") ? { option: typeOf(item, inline) } : unknown(raw);
    case "arrayTypeNode":
    case "setTypeNode":
      return listOf(typeOf(item, inline), nodeOf(count)) ?? unknown(raw);
    case "definedTypeLinkNode":
      return { defined: name };
    case "structTypeNode":
    case "tupleTypeNode":
    case "enumTypeNode": {
      const defined = `inline ${inline.length}`;
      const entry = { name: defined, type: undefined as unknown };
      inline.push(entry);
      entry.type = definitionOf(raw, inline);
      return { defined };
    }
    default:
      return unknown(raw);
  }
}

function prefixedOf(raw: unknown): unknown {
  const { kind } = nodeOf(raw);
  return kind === "stringTypeNode" ? "string" : kind === "bytesTypeNode" ? "bytes" : unknown(raw);
}

function listOf(item: unknown, { kind, value, prefix }: Node): unknown {
  if (kind === "fixedCountNode") return { array: [item, value] };
  return kind === "prefixedCountNode" && isFormat(prefix, "u32") ? { vec: item } : undefined;
}

function isFormat(raw: unknown, format: string): boolean {
  const node = nodeOf(raw);
  return node.kind === "numberTypeNode" ? node.format === format : isFormatOf(node.type, format);
}

function isFormatOf(raw: unknown, format: string): boolean {
  const node = nodeOf(raw);
  return node.kind === "numberTypeNode" && node.format === format;
}

function unknown(raw: unknown): unknown {
  return { unknown: String(nodeOf(raw).kind ?? "").slice(0, 60) };
}

function nodeOf(raw: unknown): Node {
  return typeof raw === "object" && raw !== null ? (raw as Node) : {};
}

function nodesIn(raw: unknown): Node[] {
  return Array.isArray(raw) ? raw.map(nodeOf) : [];
}
