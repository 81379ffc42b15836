import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

/** A shorter body fits into one packet anyway. */
const minLength = 1_400;

/** Picks the encoding of a reply; undefined if it is short or the client accepts none. */
export function encodingFor(accepted: string | undefined, length: number): Encoding | undefined {
  if (accepted === undefined || length < minLength) return undefined;
  const weights = new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return [name, Number(weight)];
    }),
  );
  return (["br", "gzip"] as const).find((encoding) => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0);
}

/** Compresses in the thread pool, with the level at which a slow connection still gains and a fast one does not lose. */
export function compress(encoding: Encoding, content: string | Buffer): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return encoding === "br"
    ? brotli(content, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: content.length } })
    : gzipped(content, { level: 5 });
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
