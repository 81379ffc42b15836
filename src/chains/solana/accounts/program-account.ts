import { unzipSync } from "node:zlib";
import type { Read, ReadResult } from "../../block.ts";
import { metadataAddressOf } from "../idl/program-metadata.ts";
import { unpackAccount } from "./account-state.ts";
import { addressOfBytes, addressWithSeed, bytesOfAddress, deriveAddress } from "./address.ts";

export const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111";

/** Keeps the code in the program's own account, whose instructions name it. */
export const loaderV4 = "LoaderV411111111111111111111111111111111111";

/** The account at a program's address, and its upgrade authority. */
export type ProgramAccount = {
  exists: boolean;
  executable: boolean;
  /** The loader program that owns it; null when there is no account. */
  loader: string | null;
  program_data: string | null;
  /** The slot in which its code was last deployed; null when it is not upgradeable. */
  slot: number | null;
  /** The upgrade authority; null when the program is immutable. */
  authority: string | null;
  has_idl: boolean;
};

type ReadState = (reads: readonly Read[]) => Promise<ReadResult[]>;

/** Reads a program account, its program data and its IDL accounts. Rejects when `read` does. */
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
    program_data: state && program?.owner === upgradeableLoader ? data : null,
    slot: state?.slot ?? null,
    authority: state?.authority ?? null,
    has_idl: results.slice(2).some((result) => unpackAccount(result)?.owner),
  };
}

/** The address of the program data account of an upgradeable program. */
export function programDataOf(program: string): string {
  return deriveAddress(upgradeableLoader, [bytesOfAddress(program)]);
}

/** The longest header with the deployment slot and the upgrade authority: that of a program of the loader v4. */
const headerBytes = 48;

/** The read of the header of a program or of a program data account: the deployment slot and the upgrade authority. */
export function programRead(address: string): Read {
  return { kind: "account", address, length: headerBytes };
}

/** The deployment slot and the upgrade authority of a program. The slot is null while its code cannot run. */
export type CodeState = { slot: number | null; authority: string | null };

/** Reads the code state from a program and its data account; undefined when the program does not exist or is immutable. */
export function codeStateOf(
  results: readonly (ReadResult | undefined)[],
  address: string,
): CodeState | undefined {
  const [program, data] = results.map(unpackAccount);
  if (program?.owner === loaderV4) return stateOfV4(program.data);
  // Everyone can make an account of any size that the loader owns.
  if (program?.owner !== upgradeableLoader || program.data.length < 36) return undefined;
  if (program.data.readUInt32LE() !== 2) return undefined;
  if (!data || data.owner !== upgradeableLoader || data.data.length < 13 || data.data.readUInt32LE() !== 3)
    return undefined;
  if (addressOfBytes(program.data.subarray(4, 36)) !== programDataOf(address)) return undefined;
  const hasAuthority = data.data[12] === 1 && data.data.length >= 45;
  return {
    slot: Number(data.data.readBigUInt64LE(4)),
    authority: hasAuthority ? addressOfBytes(data.data.subarray(13, 45)) : null,
  };
}

const retracted = 0n;
const finalized = 2n;

/** The header of the loader v4: the slot, the authority, and whether the code is retracted, deployed or final. */
function stateOfV4(data: Buffer): CodeState | undefined {
  if (data.length < headerBytes) return undefined;
  const status = data.readBigUInt64LE(40);
  if (status > finalized) return undefined;
  return {
    slot: status === retracted ? null : Number(data.readBigUInt64LE()),
    // A final program has the address of its next version there.
    authority: status === finalized ? null : addressOfBytes(data.subarray(8, 40)),
  };
}

/** The address at which Anchor stores the IDL of a program. */
export function idlAddressOf(program: string): string {
  return addressWithSeed(deriveAddress(program, []), "anchor:idl", program);
}

/** The maximum size of a decompressed IDL. */
const maxBytes = 5 * 1024 * 1024;

/** Reads the IDL in Anchor's account: a discriminator of eight bytes, the authority, a length and compressed JSON. */
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
