import type { Hex, ReadResult } from "../../block.ts";
import { addressOfBytes, bytesOfAddress } from "./address.ts";

/** An account with the bytes that were read. The owner is null when the account does not exist. */
export type AccountState = { owner: string | null; isExecutable: boolean; lamports: bigint; data: Buffer };

/** A token amount in the smallest unit. */
export type TokenAmount = { amount: bigint; decimals: number };

/** Packs an account into bytes, because read results are bytes on every chain. */
export function packAccount({ owner, isExecutable, lamports, data }: AccountState): Hex {
  if (owner === null) return "0x";
  const head = Buffer.alloc(9);
  head[0] = isExecutable ? 1 : 0;
  head.writeBigUInt64LE(lamports, 1);
  return `0x${Buffer.concat([bytesOfAddress(owner), head, data]).toString("hex")}`;
}

export function unpackAccount(result: ReadResult | undefined): AccountState | undefined {
  if (!result?.ok) return undefined;
  const bytes = Buffer.from(result.data.slice(2), "hex");
  if (bytes.length === 0) return { owner: null, isExecutable: false, lamports: 0n, data: bytes };
  if (bytes.length < 41) return undefined;
  return {
    owner: addressOfBytes(bytes.subarray(0, 32)),
    isExecutable: bytes[32] === 1,
    lamports: bytes.readBigUInt64LE(33),
    data: bytes.subarray(41),
  };
}

export function packAmount({ amount, decimals }: TokenAmount): Hex {
  return `0x${decimals.toString(16).padStart(2, "0")}${amount.toString(16).padStart(32, "0")}`;
}

export function unpackAmount(result: ReadResult | undefined): TokenAmount | undefined {
  if (!result?.ok || !/^0x[0-9a-f]{34}$/.test(result.data)) return undefined;
  return {
    decimals: Number.parseInt(result.data.slice(2, 4), 16),
    amount: BigInt(`0x${result.data.slice(4)}`),
  };
}
