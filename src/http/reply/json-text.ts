import { mapInSlices } from "../../lib/concurrency/in-slices.ts";

/** Shorter lists are converted at once. */
const minSliced = 100;

/**
 * The text of `JSON.stringify`, made with other work of the process between slices of a long list, also of one in a field of an
 * object.
 */
export async function toJsonText(value: unknown): Promise<string> {
  if (Array.isArray(value)) return `[${(await textsOf(value)).join(",")}]`;
  if (!isPlain(value) || !Object.values(value).some(isLong)) return JSON.stringify(value);
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) fields.push(`${JSON.stringify(name)}:${await toJsonText(field)}`);
  }
  return `{${fields.join(",")}}`;
}

async function textsOf(items: readonly unknown[]): Promise<string[]> {
  const toText = (item: unknown) => JSON.stringify(item) ?? "null";
  return isLong(items) ? mapInSlices(items, toText) : items.map(toText);
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= minSliced;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
