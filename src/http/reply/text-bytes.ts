import { createHash } from "node:crypto";
import { makePause } from "../../lib/concurrency/pauses.ts";

/** The characters that are encoded before other work may run. */
const sliceLength = 128 * 1024;

/** The UTF-8 bytes of a text with their hash, made with other work of the process between slices of a long text. */
export async function toHashedBytes(text: string): Promise<{ bytes: Buffer; hash: string }> {
  const pause = makePause();
  const hash = createHash("sha1");
  const slices: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const end = endOfSlice(text, from + sliceLength);
    const slice = Buffer.from(text.slice(from, end));
    hash.update(slice);
    slices.push(slice);
    from = end;
    if (from < text.length) await pause();
  }
  return {
    bytes: slices.length === 1 ? (slices[0] as Buffer) : Buffer.concat(slices),
    hash: hash.digest("base64url"),
  };
}

/** A character of two code units stays in one slice. */
function endOfSlice(text: string, end: number): number {
  const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end - 1 : end;
}
