/** An object of unknown shape. The readers below return an empty value if a field has an unexpected type. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Reads a name of limited length, because it is stored and compared for each rule. */
export function nameOf(value: unknown, maxLength = 200): string | null {
  return textOf(value)?.slice(0, maxLength) ?? null;
}

/** The maximum length of a channel reference in a request. */
export const maxRefLength = 500;

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Returns one value or a list as a list. */
export function oneOrMore(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
