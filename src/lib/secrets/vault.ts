import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Random } from "../random.ts";

/** Encrypts secrets for storage. The `context` is authenticated: a secret of one row cannot be opened in another. */
export type Vault = {
  seal(plain: string | Buffer, context: string): Buffer;
  open(sealed: Buffer, context: string): Buffer | Promise<Buffer>;
  /** Reads the keys again; a vault with one key has nothing to read. */
  reload?(): Promise<void>;
};

/** A vault around one key. */
export type KeyVault = Omit<Vault, "open" | "reload"> & {
  key: Buffer;
  keyId: Buffer;
  open(sealed: Buffer, context: string): Buffer;
  /** True when the value names this key in its header. */
  hasSealed(sealed: Buffer): boolean;
};

/** A sealed secret cannot be opened: wrong key, wrong context, or corrupt data. */
export class VaultError extends Error {
  override name = "VaultError";
}

// version (1) | key id (4) | nonce (12) | tag (16) | ciphertext; version and key id are authenticated too.
const version = 1;
const headerBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;

/** Makes a vault around a key of 32 bytes (AES-256-GCM). */
export function makeVault(key: Buffer, random: Random): KeyVault {
  if (key.length !== 32) throw new VaultError("The key must be 32 bytes long.");
  const keyId = createHash("sha256")
    .update("vault key id")
    .update(key)
    .digest()
    .subarray(0, headerBytes - 1);
  const header = Buffer.concat([Buffer.of(version), keyId]);
  const bind = (context: string) => Buffer.concat([header, Buffer.from(context)]);

  return {
    key,
    keyId,
    hasSealed: (sealed) => sealed.subarray(0, headerBytes).equals(header),
    seal(plain, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(bind(context));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([header, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, context) {
      const { nonce, tag, text } = split(sealed, header);
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, options).setAAD(bind(context));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(text), decipher.final()]);
      } catch (cause) {
        throw new VaultError("This secret is damaged or belongs to something else.", { cause });
      }
    },
  };
}

function split(sealed: Buffer, header: Buffer): { nonce: Buffer; tag: Buffer; text: Buffer } {
  const tagAt = headerBytes + nonceBytes;
  const textAt = tagAt + tagBytes;
  if (sealed.length < textAt) throw new VaultError("This secret is too short to be a sealed one.");
  if (sealed[0] !== version)
    throw new VaultError("This secret was sealed by another version of the service.");
  if (!sealed.subarray(0, headerBytes).equals(header)) {
    throw new VaultError("This secret was sealed with another key.");
  }
  const nonce = sealed.subarray(headerBytes, tagAt);
  return { nonce, tag: sealed.subarray(tagAt, textAt), text: sealed.subarray(textAt) };
}
