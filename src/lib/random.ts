import { randomBytes } from "node:crypto";

/** A source of randomness, injected so that tests can seed it. */
export type Random = { bytes(count: number): Buffer };

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** A UUID v7, which sorts by its millisecond. */
export function uuidv7(now: Date, random: Random): string {
  const bytes = random.bytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
