import type { AccountState, TokenAmount } from "./account-state.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "./address.ts";

/** The bytes of an account that tell a mint from a token account: Token-2022 writes the kind of account at the last of them. */
export const tokenDataBytes = 166;

const mintBytes = 82;
const accountBytes = 165;
const kindOffset = 165;
const mintKind = 1;
const accountKind = 2;

/** The authorities of a mint; null where there is none. */
export type MintAuthorities = { mint: string | null; freeze: string | null };

/** Reads the supply of a mint from the first `tokenDataBytes` of its account; undefined if it is not a mint. */
export function mintSupplyOf(account: AccountState | undefined): TokenAmount | undefined {
  if (!account || !isMint(account)) return undefined;
  return { amount: account.data.readBigUInt64LE(36), decimals: account.data[44] as number };
}

/** Reads the authorities of a mint from the first `tokenDataBytes` of its account; undefined if it is not a mint. */
export function mintAuthoritiesOf(account: AccountState | undefined): MintAuthorities | undefined {
  if (!account || !isMint(account)) return undefined;
  return { mint: authorityAt(account.data, 0), freeze: authorityAt(account.data, 46) };
}

/** A token account: what it holds, and who may move it. */
export type TokenHolding = {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | null;
  /** Who may close it; null stands for its owner. */
  closeAuthority: string | null;
};

/** Reads a token account from its first `tokenDataBytes`; undefined if it is something else. */
export function tokenHoldingOf(account: AccountState | undefined): TokenHolding | undefined {
  if (!account || !isTokenAccount(account)) return undefined;
  const { data } = account;
  return {
    mint: addressOfBytes(data.subarray(0, 32)),
    owner: addressOfBytes(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    delegate: authorityAt(data, 72),
    closeAuthority: authorityAt(data, 129),
  };
}

function isMint({ owner, data }: AccountState): boolean {
  if (owner !== tokenProgram && owner !== token2022Program) return false;
  if (data.length === mintBytes) return data[45] === 1;
  const isExtended = owner === token2022Program && data.length >= tokenDataBytes;
  return isExtended && data[kindOffset] === mintKind && data[45] === 1;
}

function isTokenAccount({ owner, data }: AccountState): boolean {
  if (owner !== tokenProgram && owner !== token2022Program) return false;
  if (data.length === accountBytes) return data[108] !== 0;
  const isExtended = owner === token2022Program && data.length >= tokenDataBytes;
  return isExtended && data[kindOffset] === accountKind && data[108] !== 0;
}

function authorityAt(data: Buffer, offset: number): string | null {
  return data.readUInt32LE(offset) === 1 ? addressOfBytes(data.subarray(offset + 4, offset + 36)) : null;
}
