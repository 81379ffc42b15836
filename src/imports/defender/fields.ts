/** Reading what nobody promised the shape of: a field is what it should be, or it is not there. */
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

/** A name. It is shown and compared once for each rule, so that an absurd one would be costly. */
export function nameOf(value: unknown, maxLength = 200): string | null {
  return textOf(value)?.slice(0, maxLength) ?? null;
}

/** What a request may name a channel by. */
export const maxRefLength = 500;

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** One value or several, as some exports have it. */
export function oneOrMore(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
