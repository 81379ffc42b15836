import { unzipSync } from "node:zlib";
import type { Read, ReadResult } from "../../block.ts";
import { metadataAddressOf } from "../idl/program-metadata.ts";
import { unpackAccount } from "./account-state.ts";
import { addressOfBytes, addressWithSeed, bytesOfAddress, deriveAddress } from "./address.ts";

export const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111";

/** What stands at a program's address, and who may change it. */
export type ProgramAccount = {
  exists: boolean;
  executable: boolean;
  /** The program that runs it; null where nothing is there. */
  loader: string | null;
  program_data: string | null;
  /** The slot in which its code was last deployed; null where it cannot be changed. */
  slot: number | null;
  /** Who may upgrade it; null when nobody can. */
  authority: string | null;
  has_idl: boolean;
};

type ReadState = (reads: readonly Read[]) => Promise<ReadResult[]>;

/** A program account, its data and where its IDL may be. Rejects as `read` does. */
export async function readProgramAccount(read: ReadState, address: string): Promise<ProgramAccount> {
  const data = programDataOf(address);
  const results = await read([
    programRead(address),
    programRead(data),
    { kind: "account", address: idlAddressOf(address), length: 0 },
    { kind: "account", address: metadataAddressOf(address), length: 0 },
  ]);
  const program = unpackAccount(results[0]);
  const state = codeStateOf(results.slice(0, 2), address);
  return {
    exists: Boolean(program?.owner),
    executable: program?.isExecutable ?? false,
    loader: program?.owner ?? null,
    program_data: state ? data : null,
    slot: state?.slot ?? null,
    authority: state?.authority ?? null,
    has_idl: results.slice(2).some((result) => unpackAccount(result)?.owner),
  };
}

/** The address of the data of an upgradeable program. */
export function programDataOf(program: string): string {
  return deriveAddress(upgradeableLoader, [bytesOfAddress(program)]);
}

/** The part of a program's data that says when it was deployed and who may do so again. */
export function programRead(address: string): Read {
  return { kind: "account", address, length: 45 };
}

/** When the code was deployed and who may change it. */
export type CodeState = { slot: number; authority: string | null };

/** From the program and its data; undefined where the program is not there or not upgradeable. */
export function codeStateOf(
  results: readonly (ReadResult | undefined)[],
  address: string,
): CodeState | undefined {
  const [program, data] = results.map(unpackAccount);
  if (program?.owner !== upgradeableLoader || program.data.readUInt32LE() !== 2) return undefined;
  if (!data || data.owner !== upgradeableLoader || data.data.length < 13 || data.data.readUInt32LE() !== 3)
    return undefined;
  if (addressOfBytes(program.data.subarray(4, 36)) !== programDataOf(address)) return undefined;
  const hasAuthority = data.data[12] === 1 && data.data.length >= 45;
  return {
    slot: Number(data.data.readBigUInt64LE(4)),
    authority: hasAuthority ? addressOfBytes(data.data.subarray(13, 45)) : null,
  };
}

/** Where Anchor keeps a program's IDL. */
export function idlAddressOf(program: string): string {
  return addressWithSeed(deriveAddress(program, []), "anchor:idl", program);
}

/** An IDL is compressed; what unpacks to more than this is none. */
const maxBytes = 5 * 1024 * 1024;

/** The IDL in its account: eight bytes of a mark, who may write it, a length, and the compressed JSON. */
export function idlIn(result: ReadResult | undefined): unknown {
  const account = unpackAccount(result);
  if (!account?.owner || account.data.length < 44) return undefined;
  const length = account.data.readUInt32LE(40);
  try {
    const bytes = unzipSync(account.data.subarray(44, 44 + length), { maxOutputLength: maxBytes });
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
