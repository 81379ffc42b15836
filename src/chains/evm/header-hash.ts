import { type Hex, keccak256 } from "viem";
import type { Raw } from "./raw.ts";

/** The hash that Ethereum gives this header; undefined when a field is missing or is not what Ethereum knows. */
export function headerHash(header: Raw): Hex | undefined {
  const fields: Buffer[] = [];
  for (const name of [...required, ...optional]) {
    const value = header[name];
    if (value === undefined || value === null) {
      if (required.includes(name)) return undefined;
      continue;
    }
    const bytes = typeof value === "string" ? bytesOf(value, quantities.has(name)) : undefined;
    if (!bytes) return undefined;
    fields.push(withLength(0x80, bytes));
  }
  return keccak256(withLength(0xc0, Buffer.concat(fields)));
}

/** Undefined for what is not hexadecimal: decoding stops at the first digit that is none. */
function bytesOf(value: string, isQuantity: boolean): Buffer | undefined {
  if (!value.startsWith("0x")) return undefined;
  const digits = isQuantity ? trimmed(value) : value.slice(2);
  const bytes = Buffer.from(digits, "hex");
  return bytes.length * 2 === digits.length ? bytes : undefined;
}

/** Bytes or a list of them as RLP writes them, which is how headers are hashed. `base` tells the two apart. */
function withLength(base: 0x80 | 0xc0, bytes: Buffer): Buffer {
  const [first = 0] = bytes;
  if (base === 0x80 && bytes.length === 1 && first < 0x80) return bytes;
  if (bytes.length < 56) return Buffer.concat([Buffer.of(base + bytes.length), bytes]);
  const digits = bytes.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.of(base + 55 + length.length), length, bytes]);
}

/** In the order in which they are hashed. */
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
/** Each since a later upgrade of the protocol. */
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

/** A quantity is hashed without zeros in front, and zero as nothing. */
function trimmed(value: string): string {
  const digits = value.slice(2).replace(/^0+/, "");
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}
