import { discriminatorOf } from "../idl/discriminator.ts";
import type { AccountState } from "./account-state.ts";

/** The first bytes of an account with which each kind of feed can be read, and those of the longest kind. */
export const pythBytes = 240;
export const priceFeedBytes = 2_392;

const pythReceiver = "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ";
/** The first oracle program of Pyth, on mainnet and devnet. Its accounts are no longer updated on mainnet. */
const pythOracles = [
  "FsJ3A3u2vn5cTVofAjvy6y5kwABJAqYWpe4975bi2epH",
  "gSbePebfvPy7tRqimPoVecS2UsBvYv46ynrzWocc92s",
];
/** Switchboard On-Demand, on mainnet and devnet. */
const switchboards = [
  "SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv",
  "Aio4gaXjXzJNVLtzwtNVmSqGKpANtXhybbkhtAC94ji2",
];

/** The price in an account of an oracle: `answer` times ten to the power of `exponent`. */
export type AccountPrice = {
  oracle: "pyth" | "pyth_legacy" | "switchboard";
  answer: bigint;
  exponent: number;
  /** How far publishers are apart, in the unit of the answer. */
  confidence: bigint;
  /** Unix time in seconds; 0 if there is no price yet. */
  updatedAt: number;
  slot: number;
  /** The name of the feed, or its id. */
  name: string | null;
  /** False if fewer guardians signed the price than the network requires. */
  isVerified: boolean;
};

/** Returns which oracle an account belongs to; undefined if it is not a price feed. Needs the first 12 bytes. */
export function oracleOf(account: AccountState | undefined): AccountPrice["oracle"] | undefined {
  if (!account?.owner) return undefined;
  const { owner, data } = account;
  const first = data.subarray(0, 8);
  if (owner === pythReceiver && first.equals(priceUpdate)) return "pyth";
  if (switchboards.includes(owner) && first.equals(pullFeed)) return "switchboard";
  const isLegacy = pythOracles.includes(owner) && data.length >= 12;
  return isLegacy && data.readUInt32LE() === legacyMagic && data.readUInt32LE(8) === legacyPrice
    ? "pyth_legacy"
    : undefined;
}

/** Reads the price in an account of an oracle; undefined if it is no feed, or if its data breaks off. */
export function accountPriceOf(account: AccountState | undefined): AccountPrice | undefined {
  const oracle = oracleOf(account);
  if (!account || !oracle) return undefined;
  return readers[oracle](account.data);
}

const priceUpdate = discriminatorOf("account", "PriceUpdateV2");
const pullFeed = discriminatorOf("account", "PullFeedAccountData");
const legacyMagic = 0xa1b2c3d4;
const legacyPrice = 3;
const switchboardDecimals = 18;
const updateBytes = 92;

const readers: Record<AccountPrice["oracle"], (data: Buffer) => AccountPrice | undefined> = {
  /** After the writer comes how it was verified: fully, or by a number of guardians that takes a byte more. */
  pyth(data) {
    const at = 41 + (data[40] === 0 ? 1 : 0);
    if (data.length < at + updateBytes || (data[40] as number) > 1) return undefined;
    return {
      oracle: "pyth",
      name: `0x${data.subarray(at, at + 32).toString("hex")}`,
      answer: data.readBigInt64LE(at + 32),
      confidence: data.readBigUInt64LE(at + 40),
      exponent: data.readInt32LE(at + 48),
      updatedAt: Number(data.readBigInt64LE(at + 52)),
      slot: Number(data.readBigUInt64LE(at + 84)),
      isVerified: data[40] === 1,
    };
  },
  pyth_legacy(data) {
    if (data.length < pythBytes) return undefined;
    return {
      oracle: "pyth_legacy",
      name: null,
      answer: data.readBigInt64LE(208),
      confidence: data.readBigUInt64LE(216),
      exponent: data.readInt32LE(20),
      updatedAt: Number(data.readBigInt64LE(96)),
      slot: Number(data.readBigUInt64LE(232)),
      isVerified: true,
    };
  },
  /** The submissions of 32 oracles come first. Values have 18 decimals. */
  switchboard(data) {
    if (data.length < priceFeedBytes) return undefined;
    const slot = Number(data.readBigUInt64LE(2368));
    return {
      oracle: "switchboard",
      name: textIn(data.subarray(2180, 2212)),
      answer: signed128(data, 2264),
      confidence: signed128(data, 2280),
      exponent: -switchboardDecimals,
      updatedAt: slot === 0 ? 0 : Number(data.readBigInt64LE(2216)),
      slot,
      isVerified: true,
    };
  },
};

function signed128(data: Buffer, offset: number): bigint {
  return (data.readBigInt64LE(offset + 8) << 64n) | data.readBigUInt64LE(offset);
}

/** A text that zeros fill up; null without one. */
function textIn(bytes: Buffer): string | null {
  const end = bytes.indexOf(0);
  const text = bytes.subarray(0, end === -1 ? undefined : end).toString("utf8");
  return /^[\x20-\x7e]+$/.test(text) ? text : null;
}
