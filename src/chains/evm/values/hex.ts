import type { Hex } from "../../block.ts";

/** Writes a number or bytes in hexadecimal; `size` is the number of bytes to which a number is padded. */
export function toHex(value: number | bigint | Uint8Array, { size }: { size?: number } = {}): Hex {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  const hex: Hex = `0x${value.toString(16)}`;
  return size === undefined ? hex : pad(hex, { size });
}

/** Pads with zeros on the left, to a word by default. Throws if the value is longer. */
export function pad(hex: Hex, { size = 32 }: { size?: number } = {}): Hex {
  if (hex.length > 2 + 2 * size) throw new Error(`${hex} has more than ${size} bytes.`);
  return `0x${hex.slice(2).padStart(2 * size, "0")}`;
}

export function concat(parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join("")}`;
}

/** Invalid digits end the bytes, so that the text must be valid. */
export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}
