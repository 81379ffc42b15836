import { type Address, getAddressEncoder } from "@solana/kit";

export const metadataProgram = "ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S";

/** An account in the layout of the Program Metadata program: a header of 96 bytes, then the content. */
export function metadataAccount(
  program: string,
  {
    content,
    kind = 2,
    isCanonical = true,
    seed = "idl",
    encoding = 1,
    compression = 0,
    format = 1,
    source = 0,
    length = content.length,
  }: {
    content: Buffer;
    /** 1 is a buffer, 2 is metadata. */
    kind?: number;
    isCanonical?: boolean;
    seed?: string;
    /** 0 is none, 1 UTF-8, 2 base58, 3 base64. */
    encoding?: number;
    /** 0 is none, 1 gzip, 2 zlib. */
    compression?: number;
    /** 0 is none, 1 JSON, 2 YAML, 3 TOML. */
    format?: number;
    /** 0 is direct, 1 URL, 2 another account. */
    source?: number;
    length?: number;
  },
): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(length);
  return Buffer.concat([
    Buffer.of(kind),
    Buffer.from(getAddressEncoder().encode(program as Address)),
    Buffer.alloc(32),
    Buffer.of(1, isCanonical ? 1 : 0),
    Buffer.from(seed.padEnd(16, "\0")),
    Buffer.of(encoding, compression, format, source),
    size,
    Buffer.alloc(5),
    content,
  ]);
}
