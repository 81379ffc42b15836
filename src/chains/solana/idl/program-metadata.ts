import { gunzipSync, inflateSync } from "node:zlib";
import type { AccountState } from "../accounts/account-state.ts";
import { addressOfBytes, bytesOfAddress, deriveAddress } from "../accounts/address.ts";

const metadataProgram = "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S";
const idlSeed = Buffer.from("idl".padEnd(16, "\0"));
const headerLength = 96;
/** Where each part of the header stands, after the kind of account, the program, and who may write. */
const offsets = { program: 1, canonical: 66, seed: 67, compression: 84, format: 85, source: 86, length: 87 };
/** What unpacks to more than this is no IDL. */
const maxBytes = 5 * 1024 * 1024;

/** JSON as it was found, or why there is none. */
export type FoundJson = { json: unknown } | { problem: string; isExternal?: boolean };

/**
 * Where the Program Metadata program keeps the IDL that whoever may upgrade a program gave it. Anybody may publish one for any
 * program at an address of their own, which nobody should believe; those are not looked at.
 */
export function metadataAddressOf(program: string): string {
  return deriveAddress(metadataProgram, [bytesOfAddress(program), idlSeed]);
}

/** Undefined where the account is not what it should be. */
export function metadataIn(account: AccountState | undefined, program: string): FoundJson | undefined {
  if (account?.owner !== metadataProgram || account.data.length < headerLength) return undefined;
  const { data } = account;
  const isOfProgram = addressOfBytes(data.subarray(offsets.program, offsets.program + 32)) === program;
  const isIdl = data.subarray(offsets.seed, offsets.seed + 16).equals(idlSeed);
  // 2 is a whole account of metadata; others are still being written.
  if (data[0] !== 2 || data[offsets.canonical] !== 1 || !isOfProgram || !isIdl) return undefined;
  const isExternal = true;
  if (data[offsets.source] === 1)
    return { problem: "The IDL is kept at a URL, which is not followed.", isExternal };
  if (data[offsets.source] !== 0)
    return { problem: "The IDL is kept in another account, which is not followed.", isExternal };
  if (data[offsets.format] !== 1) return { problem: "The IDL is not written in JSON." };
  return readJson(data);
}

/** However the content is said to be encoded, the bytes are what its text stands for. */
function readJson(data: Buffer): FoundJson {
  const length = data.readUInt32LE(offsets.length);
  if (length > data.length - headerLength) return { problem: "The IDL is cut off, or too large." };
  try {
    const bytes = decompress(data.subarray(headerLength, headerLength + length), data[offsets.compression]);
    return { json: JSON.parse(bytes.toString("utf8")) };
  } catch {
    return { problem: "The IDL cannot be unpacked, or is no JSON." };
  }
}

function decompress(bytes: Buffer, compression: number | undefined): Buffer {
  if (compression === 0) return bytes;
  if (compression === 1) return gunzipSync(bytes, { maxOutputLength: maxBytes });
  if (compression === 2) return inflateSync(bytes, { maxOutputLength: maxBytes });
  throw new Error("The compression is not known.");
}
