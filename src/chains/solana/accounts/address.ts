import { createHash } from "node:crypto";
import {
  type Address,
  getAddressDecoder,
  getAddressEncoder,
  isAddress,
  isOffCurveAddress,
} from "@solana/addresses";
import { getBase58Decoder, getBase58Encoder } from "@solana/codecs-strings";

export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const tokenAccountProgram = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

/** Returns a base58 address unchanged, because its spelling is unique; undefined when it is invalid. */
export function parseSolanaAddress(text: string): string | undefined {
  return isAddress(text) ? text : undefined;
}

export function bytesOfAddress(address: string): Buffer {
  return Buffer.from(getAddressEncoder().encode(address as Address));
}

export function addressOfBytes(bytes: Uint8Array): string {
  return getAddressDecoder().decode(bytes);
}

/** Decodes base58 text; undefined when it is invalid. */
export function fromBase58(text: string): Buffer | undefined {
  try {
    return Buffer.from(getBase58Encoder().encode(text));
  } catch {
    return undefined;
  }
}

export function toBase58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes);
}

/** Derives a program address from seeds, like the runtime: the first candidate that is not on the curve. */
export function deriveAddress(program: string, seeds: readonly Uint8Array[]): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash("sha256");
    for (const seed of seeds) hash.update(seed);
    const candidate = addressOfBytes(
      hash.update(Buffer.of(bump)).update(bytesOfAddress(program)).update("ProgramDerivedAddress").digest(),
    );
    if (isOffCurveAddress(candidate as Address)) return candidate;
  }
  throw new Error("No bump seed yields an address off the curve.");
}

/** True if no key can sign for the address: it was derived by a program, as associated token accounts are. */
export function isDerivedAddress(address: string): boolean {
  return isOffCurveAddress(address as Address);
}

/** Derives an address from a base address, a seed text and a program. */
export function addressWithSeed(base: string, seed: string, program: string): string {
  return addressOfBytes(
    createHash("sha256").update(bytesOfAddress(base)).update(seed).update(bytesOfAddress(program)).digest(),
  );
}

/** The associated token accounts of a holder, one for each token program. */
export function tokenAccountsOf(holder: string, mint: string): string[] {
  return [tokenProgram, token2022Program].map((program) =>
    deriveAddress(tokenAccountProgram, [holder, program, mint].map(bytesOfAddress)),
  );
}
