import { gunzipSync, inflateSync } from "node:zlib";
import type { AccountState } from "../accounts/account-state.ts";
import { addressOfBytes, bytesOfAddress, deriveAddress } from "../accounts/address.ts";

const metadataProgram = "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S";
const idlSeed = Buffer.from("idl".padEnd(16, "\0"));
const headerLength = 96;
/** The offsets of header fields. */
const offsets = { program: 1, canonical: 66, seed: 67, compression: 84, format: 85, source: 86, length: 87 };
/** The maximum size of a decompressed IDL. */
const maxBytes = 5 * 1024 * 1024;

/** The JSON found, or the reason why it cannot be used. */
export type FoundJson = { json: unknown } | { problem: string; isExternal?: boolean };

/**
 * The address at which the Program Metadata program stores the IDL from the upgrade authority of a program. Anyone may publish
 * an IDL for any program at another address; those are not trusted and not read.
 */
export function metadataAddressOf(program: string): string {
  return deriveAddress(metadataProgram, [bytesOfAddress(program), idlSeed]);
}

/** Reads the IDL in a metadata account; undefined when the account is not valid metadata of this program. */
export function metadataIn(account: AccountState | undefined, program: string): FoundJson | undefined {
  if (account?.owner !== metadataProgram || account.data.length < headerLength) return undefined;
  const { data } = account;
  const isOfProgram = addressOfBytes(data.subarray(offsets.program, offsets.program + 32)) === program;
  const isIdl = data.subarray(offsets.seed, offsets.seed + 16).equals(idlSeed);
  // 2 marks complete metadata; other values mark buffers that are still being written.
  if (data[0] !== 2 || data[offsets.canonical] !== 1 || !isOfProgram || !isIdl) return undefined;
  const isExternal = true;
  if (data[offsets.source] === 1)
    return { problem: "The IDL is stored at a URL, which is not fetched.", isExternal };
  if (data[offsets.source] !== 0)
    return { problem: "The IDL is stored in another account, which is not read.", isExternal };
  if (data[offsets.format] !== 1) return { problem: "The IDL is not in JSON format." };
  return readJson(data);
}

/** The encoding field of the header does not matter, because the data contains the raw bytes. */
function readJson(data: Buffer): FoundJson {
  const length = data.readUInt32LE(offsets.length);
  if (length > data.length - headerLength) return { problem: "The IDL is truncated or too large." };
  try {
    const bytes = decompress(data.subarray(headerLength, headerLength + length), data[offsets.compression]);
    return { json: JSON.parse(bytes.toString("utf8")) };
  } catch {
    return { problem: "The IDL cannot be decompressed or is not JSON." };
  }
}

function decompress(bytes: Buffer, compression: number | undefined): Buffer {
  if (compression === 0) return bytes;
  if (compression === 1) return gunzipSync(bytes, { maxOutputLength: maxBytes });
  if (compression === 2) return inflateSync(bytes, { maxOutputLength: maxBytes });
  throw new Error("The compression is unknown.");
}
