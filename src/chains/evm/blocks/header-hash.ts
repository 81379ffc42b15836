import type { Hex } from "../../block.ts";
import { keccak } from "../values/keccak.ts";
import type { Raw } from "../values/raw.ts";

/** Computes the Ethereum hash of a header; undefined when a field is missing or malformed. */
export function headerHash(header: Raw): Hex | undefined {
  let digits = "";
  for (const name of required) {
    const field = fieldOf(header, name);
    if (field === undefined) return undefined;
    digits += field;
  }
  for (const name of optional) {
    if (header[name] === undefined || header[name] === null) continue;
    const field = fieldOf(header, name);
    if (field === undefined) return undefined;
    digits += field;
  }
  return hashOf(withLength(0xc0, digits));
}

/** Undefined for text that is not hexadecimal, at which `Buffer.from` stops early. */
function hashOf(digits: string): Hex | undefined {
  const bytes = Buffer.from(digits, "hex");
  return bytes.length * 2 === digits.length ? `0x${keccak(bytes).toString("hex")}` : undefined;
}

function fieldOf(header: Raw, name: string): string | undefined {
  const value = header[name];
  if (typeof value !== "string" || !value.startsWith("0x")) return undefined;
  const digits = quantities.has(name) ? trimmed(value) : value.slice(2);
  return digits.length % 2 === 0 ? withLength(0x80, digits) : undefined;
}

/** Encodes bytes (`base` 0x80) or a list (0xc0) in RLP, as headers are hashed. */
function withLength(base: 0x80 | 0xc0, digits: string): string {
  const length = digits.length / 2;
  if (base === 0x80 && length === 1 && digits < "80") return digits;
  if (length < 56) return inHex(base + length) + digits;
  const written = inHex(length);
  return inHex(base + 55 + written.length / 2) + written + digits;
}

function inHex(number: number): string {
  const digits = number.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** In the order of the hash. */
const required = [
  "parentHash",
  "sha3Uncles",
  "miner",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
  "mixHash",
  "nonce",
];
/** Added by later protocol upgrades. */
const optional = [
  "baseFeePerGas",
  "withdrawalsRoot",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
  "requestsHash",
];
const quantities = new Set([
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "baseFeePerGas",
  "blobGasUsed",
  "excessBlobGas",
]);

/** RLP encodes a quantity without leading zeros, and zero as empty. */
function trimmed(value: string): string {
  const digits = value.slice(2).replace(/^0+/, "");
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}
