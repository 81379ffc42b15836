import { createKeccak } from "hash-wasm";
import { type Hex, toBytes } from "viem";

const hasher = await createKeccak(256);

/** Keccak-256 in WebAssembly, which is much faster than in JavaScript. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest("binary");
}

export function keccakHex(value: Uint8Array | Hex): Hex {
  const bytes = typeof value === "string" ? toBytes(value) : value;
  return `0x${hasher.init().update(bytes).digest("hex")}`;
}
