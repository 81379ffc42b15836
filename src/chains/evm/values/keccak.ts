import { createKeccak } from "hash-wasm";

const hasher = await createKeccak(256);

/** The Keccak-256 hash of some bytes. Blocks are made of hashes, and this takes a small part of the time of plain JavaScript. */
export function keccak(bytes: Uint8Array): Buffer {
  return Buffer.from(hasher.init().update(bytes).digest("binary"));
}
