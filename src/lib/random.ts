import { randomFillSync } from "node:crypto";

/** A source of randomness, injected so that tests can seed it. */
export type Random = { bytes(count: number): Buffer };

export const systemRandom: Random = { bytes: nextRandomBytes };

const pooledBytes = 4096;
let pool = Buffer.alloc(0);

/** Each call of the system's generator takes microseconds, and an engine makes thousands of ids a second. No byte is used twice. */
function nextRandomBytes(count: number): Buffer {
  if (count > pooledBytes) return randomFillSync(Buffer.alloc(count));
  if (pool.length < count) pool = randomFillSync(Buffer.alloc(pooledBytes));
  const taken = Buffer.from(pool.subarray(0, count));
  pool.fill(0, 0, count);
  pool = pool.subarray(count);
  return taken;
}

/** A UUID v7, which sorts by its millisecond. */
export function uuidv7(now: Date, random: Random): string {
  const bytes = random.bytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
