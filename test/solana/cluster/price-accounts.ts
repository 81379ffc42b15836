import { discriminatorOf } from "../../../src/chains/solana/idl/discriminator.ts";

/** A price update of Pyth's receiver, fully verified unless a number of signatures is given. */
export function pythUpdate(update: {
  price: bigint;
  exponent: number;
  updatedAt: number;
  confidence?: bigint;
  slot?: bigint;
  signatures?: number;
}): Buffer {
  const { price, exponent, updatedAt, confidence = 0n, slot = 7n, signatures } = update;
  const message = Buffer.alloc(84);
  message.fill(0xef, 0, 32);
  message.writeBigInt64LE(price, 32);
  message.writeBigUInt64LE(confidence, 40);
  message.writeInt32LE(exponent, 48);
  message.writeBigInt64LE(BigInt(updatedAt), 52);
  const posted = Buffer.alloc(8);
  posted.writeBigUInt64LE(slot);
  const level = signatures === undefined ? Buffer.of(1) : Buffer.of(0, signatures);
  const data = [discriminatorOf("account", "PriceUpdateV2"), Buffer.alloc(32, 3), level, message, posted];
  // The account has room for the longer kind of verification.
  return Buffer.concat([...data, Buffer.alloc(signatures === undefined ? 1 : 0)]);
}

/** A price account of the first oracle program of Pyth. */
export function legacyPythPrice(update: { price: bigint; exponent: number; updatedAt: number }): Buffer {
  const data = Buffer.alloc(3_312);
  data.writeUInt32LE(0xa1b2c3d4);
  data.writeUInt32LE(2, 4);
  data.writeUInt32LE(3, 8);
  data.writeInt32LE(update.exponent, 20);
  data.writeBigInt64LE(BigInt(update.updatedAt), 96);
  data.writeBigInt64LE(update.price, 208);
  data.writeBigUInt64LE(5n, 216);
  data.writeBigUInt64LE(77n, 232);
  return data;
}

/** A pull feed of Switchboard On-Demand, whose values have 18 decimals. */
export function switchboardFeed(feed: {
  value: bigint;
  updatedAt: number;
  name: string;
  slot?: bigint;
}): Buffer {
  const { value, updatedAt, name, slot = 88n } = feed;
  const data = Buffer.alloc(3_208);
  discriminatorOf("account", "PullFeedAccountData").copy(data);
  const body = data.subarray(8);
  // After 32 submissions of 64 bytes, the authority, the queue and the hash of the jobs.
  const settings = body.subarray(32 * 64 + 3 * 32);
  Buffer.from(name).copy(settings, 28);
  settings.writeBigInt64LE(BigInt(updatedAt), 64);
  const result = settings.subarray(112);
  result.writeBigUInt64LE(BigInt.asUintN(64, value));
  result.writeBigInt64LE(BigInt.asIntN(64, value >> 64n), 8);
  result.writeBigUInt64LE(4n, 16);
  result.writeBigUInt64LE(slot, 104);
  return data;
}
