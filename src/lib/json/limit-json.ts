import { setOwn } from "../set-own.ts";

/** The part of the limit that is reserved for the list of shortened parts. */
const listBytes = 3_072;
const maxListed = 20;
const maxPathLength = 100;
/** Longer texts are shortened first, because they are rarely read to the end. */
const maxTextBytes = 1_024;

type Cutting = { leftBytes: number; cut: string[] };

/**
 * Returns an object with at most `maxBytes` as JSON. If it was larger, long texts are shortened, the last items are left
 * out, and `cut` names the parts concerned. An object within the limit is returned as it is.
 */
export function limitJson(value: Record<string, unknown>, maxBytes: number): Record<string, unknown> {
  if (maxJsonBytes(value, maxBytes) <= maxBytes || jsonBytes(value, maxBytes) <= maxBytes) return value;
  const cutting: Cutting = { leftBytes: maxBytes - listBytes, cut: [] };
  const limited = limitFields(value, "", cutting);
  const listed = cutting.cut.slice(0, maxListed).map(shortenPath);
  const more = cutting.cut.length - listed.length;
  return { ...limited, cut: more > 0 ? [...listed, `and ${more} more`] : listed };
}

/** An upper bound of the size of a value as JSON, in a fraction of the time: a character has at most six bytes. */
function maxJsonBytes(value: unknown, upTo: number): number {
  if (typeof value === "string") return 6 * value.length + 2;
  // The longest texts are those of numbers and of bigints, which become texts.
  if (typeof value !== "object" || value === null)
    return typeof value === "bigint" ? String(value).length + 2 : 32;
  let bytes = 2;
  for (const name in value) {
    if (bytes > upTo) return bytes;
    bytes += 6 * name.length + 4 + maxJsonBytes((value as Record<string, unknown>)[name], upTo);
  }
  return bytes;
}

/** The size of a value as JSON; the count stops shortly after `upTo`. */
export function jsonBytes(value: unknown, upTo: number): number {
  if (typeof value === "string") return textBytes(value, upTo);
  if (typeof value !== "object" || value === null) return String(value).length + 2;
  let bytes = 2;
  // Not by entries, which would copy a large object before the count can stop.
  for (const name in value) {
    if (bytes > upTo) return bytes;
    const item = (value as Record<string, unknown>)[name];
    bytes += jsonBytes(item, upTo) + 1 + (Array.isArray(value) ? 0 : textBytes(name, upTo) + 1);
  }
  return bytes;
}

function textBytes(text: string, upTo: number): number {
  if (text.length > upTo) return text.length;
  return isPlain.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** A text whose characters are themselves in JSON, and one byte each; most are addresses, hashes and numbers. */
const isPlain = /^[ !#-[\]-~]*$/;

function limitValue(value: unknown, path: string, cutting: Cutting): unknown {
  if (typeof value === "string") return limitText(value, path, cutting);
  if (Array.isArray(value)) return limitItems(value, path, cutting);
  if (typeof value === "object" && value !== null) return limitFields(value, path, cutting);
  cutting.leftBytes -= String(value).length + 3;
  return value;
}

function limitText(text: string, path: string, cutting: Cutting): string {
  const maxBytes = Math.max(0, Math.min(maxTextBytes, cutting.leftBytes));
  const whole = textBytes(text, maxTextBytes);
  if (whole <= maxBytes) {
    cutting.leftBytes -= whole + 1;
    return text;
  }
  // A character has at most six bytes as JSON.
  const kept = text.slice(0, Math.floor(maxBytes / 6)).toWellFormed();
  cutting.cut.push(path);
  cutting.leftBytes -= textBytes(kept, maxTextBytes) + 4;
  return `${kept}…`;
}

function limitItems(items: unknown[], path: string, cutting: Cutting): unknown[] {
  const kept: unknown[] = [];
  cutting.leftBytes -= 3;
  for (const [index, item] of items.entries()) {
    if (cutting.leftBytes <= 0) {
      cutting.cut.push(`${path} from item ${index}`);
      break;
    }
    kept.push(limitValue(item, `${path}[${index}]`, cutting));
  }
  return kept;
}

function limitFields(value: object, path: string, cutting: Cutting): Record<string, unknown> {
  const kept: { [name: string]: unknown } = {};
  cutting.leftBytes -= 3;
  for (const [name, item] of Object.entries(value)) {
    const inner = path === "" ? name : `${path}.${name}`;
    cutting.leftBytes -= textBytes(name, cutting.leftBytes) + 1;
    if (cutting.leftBytes <= 0) cutting.cut.push(inner);
    else setOwn(kept, name, limitValue(item, inner, cutting));
  }
  return kept;
}

function shortenPath(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}
