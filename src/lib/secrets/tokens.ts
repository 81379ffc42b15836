import { createHash, timingSafeEqual } from "node:crypto";
import type { Random } from "../random.ts";

/** 256 random bits as 43 URL-safe characters. */
export function makeToken(random: Random): string {
  return random.bytes(32).toString("base64url");
}

/** The stored form of a token. A plain hash is sufficient for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Compares two secrets in constant time. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(expected));
}
