import type { Hex, ReadResult } from "../../block.ts";
import { addressOfBytes, bytesOfAddress } from "../accounts/address.ts";
import {
  type OwnedAccount,
  ownedAccountBytes,
  packOwnedAccounts,
  unpackOwnedAccounts,
} from "../accounts/token-accounts.ts";

/** A token account that a program controls through an address that it derived, its owner. */
export type Vault = OwnedAccount & { owner: string };

export function packVaults(vaults: readonly Vault[]): Hex {
  const owners = Buffer.concat(vaults.map(({ owner }) => bytesOfAddress(owner)));
  return `${packOwnedAccounts(vaults)}${owners.toString("hex")}`;
}

export function unpackVaults(result: ReadResult | undefined): Vault[] | undefined {
  if (!result?.ok) return undefined;
  const bytes = Buffer.from(result.data.slice(2), "hex");
  const count = Math.floor(bytes.length / (ownedAccountBytes + 32));
  const accounts = bytes.subarray(0, count * ownedAccountBytes);
  const owners = bytes.subarray(accounts.length);
  return unpackOwnedAccounts({ ok: true, data: `0x${accounts.toString("hex")}` })?.map((account, index) => ({
    ...account,
    owner: addressOfBytes(owners.subarray(32 * index, 32 * index + 32)),
  }));
}
