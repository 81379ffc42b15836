import { type Hex, keccak256, toRlp } from "viem";
import type { Raw } from "./raw.ts";

/** The hash that Ethereum gives this header; undefined when a field is missing or is not what Ethereum knows. */
export function headerHash(header: Raw): Hex | undefined {
  const fields: Hex[] = [];
  for (const name of [...required, ...optional]) {
    const value = header[name];
    if (value === undefined || value === null) {
      if (required.includes(name)) return undefined;
      continue;
    }
    if (typeof value !== "string" || !/^0x[0-9a-fA-F]*$/.test(value)) return undefined;
    fields.push(quantities.has(name) ? trimmed(value) : (value as Hex));
  }
  return fields.some((field) => field.length % 2 !== 0) ? undefined : keccak256(toRlp(fields));
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
function trimmed(value: string): Hex {
  const digits = value.slice(2).replace(/^0+/, "");
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
