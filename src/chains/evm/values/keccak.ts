import { createKeccak } from "hash-wasm";
import type { Hex } from "../../block.ts";
import { bytesOf } from "./hex.ts";

const hasher = await createKeccak(256);

/** Computes Keccak-256 in WebAssembly: verifying blocks needs many hashes, and plain JavaScript is much slower. */
export function keccak(bytes: Uint8Array): Buffer {
  return Buffer.from(hasher.init().update(bytes).digest("binary"));
}

export function keccak256(value: Hex | Uint8Array): Hex {
  const bytes = typeof value === "string" ? bytesOf(value) : value;
  return `0x${hasher.init().update(bytes).digest("hex")}`;
}

/** The hash of a text, such as the signature of an event. */
export function keccakOfText(text: string): Hex {
  return keccak256(Buffer.from(text));
}
