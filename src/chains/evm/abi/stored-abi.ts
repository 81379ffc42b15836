import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type AbiIndex, compileAbi, emptyAbi } from "./abi.ts";

/** The total length of the cached ABIs as JSON; compiled they need several times as much memory. */
const maxCharacters = 32_000_000;
const compiled = new LRUCache<string, AbiIndex>({ maxSize: maxCharacters });

/** Compiles an ABI from the database; empty if there is none or it cannot be used. Cached, because many contracts share one. */
export function compileStoredAbi(abi: unknown): AbiIndex {
  if (abi === null || abi === undefined) return emptyAbi;
  const json = JSON.stringify(abi);
  const key = createHash("sha256").update(json).digest("base64");
  const known = compiled.get(key);
  if (known) return known;
  const read = compileAbi(abi);
  const index = read.ok ? read.abi : emptyAbi;
  compiled.set(key, index, { size: json.length });
  return index;
}
