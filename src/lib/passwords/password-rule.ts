import { isCommonPassword } from "./common-passwords.ts";
import { countPieces, hasFewCharacters, repeatedPart } from "./password-patterns.ts";

/** The rule as a sentence, for a password field. */
export const passwordRule =
  "Use 12 to 128 characters; no common password, repetition or simple sequence, and not your e-mail address.";

/** The reason why a new password is rejected, or undefined. */
export function passwordProblem(password: string, context: { email?: string } = {}): string | undefined {
  const text = normalizePassword(password);
  const length = [...text].length;
  if (length < 12) return "Use at least 12 characters.";
  if (length > 128) return "Use at most 128 characters.";

  const lower = text.toLowerCase();
  if (context.email && isMostlyEmail(lower, context.email)) {
    return "Choose a password that is not your e-mail address.";
  }
  const part = repeatedPart(lower) ?? lower;
  if (part.length < 8 || hasFewCharacters(lower)) {
    return "Choose a password that does not repeat the same few characters.";
  }
  if (isCommonPassword(part) || countPieces(part) <= easyPieces) {
    return "This password is too easy to guess. A few unrelated words make a good one.";
  }
  return undefined;
}

/** The Unicode normal form of a password, so that it is the same on every keyboard. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

// Common words, sequences, years and single characters each count as one piece.
const easyPieces = 3;

function isMostlyEmail(lower: string, email: string): boolean {
  const address = normalizePassword(email).toLowerCase();
  const parts = [address, ...address.split("@"), ...address.split(/[^\p{L}\p{N}]+/u)];
  const named = parts.filter((part) => part.length >= 3).sort((part, other) => other.length - part.length);
  const rest = named.reduce((text, part) => text.replaceAll(part, ""), lower);
  return rest.length * 2 < lower.length;
}
