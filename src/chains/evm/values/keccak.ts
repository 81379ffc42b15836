import { createKeccak } from "hash-wasm";

const hasher = await createKeccak(256);

/** Computes Keccak-256 in WebAssembly: verifying blocks needs many hashes, and plain JavaScript is much slower. */
export function keccak(bytes: Uint8Array): Buffer {
  return Buffer.from(hasher.init().update(bytes).digest("binary"));
}
