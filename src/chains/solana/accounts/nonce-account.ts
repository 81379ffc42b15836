import type { AccountState } from "./account-state.ts";
import { addressOfBytes } from "./address.ts";

export const systemProgram = "11111111111111111111111111111111";

/** The bytes of an account of a durable nonce: version, state, authority, nonce and fee. */
export const nonceBytes = 80;
const initialised = 1;
const newestVersion = 1;

/** Returns who can use and withdraw a durable nonce; undefined if the account is not one. */
export function nonceAuthorityOf(account: AccountState | undefined): string | undefined {
  if (account?.owner !== systemProgram || account.data.length < nonceBytes) return undefined;
  const { data } = account;
  if (data.readUInt32LE() > newestVersion || data.readUInt32LE(4) !== initialised) return undefined;
  return addressOfBytes(data.subarray(8, 40));
}
