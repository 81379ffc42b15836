import { createHash } from "node:crypto";

/** Whether enough endpoints have said the very same thing for it to be believed. */
export type Quorum = { reached(claim: unknown, endpoint: number): boolean };

const maxClaims = 500;

/**
 * Chains have oddities that nobody foresaw. What breaks a rule without being impossible is believed when another endpoint
 * says exactly the same, or one endpoint says it three times: faults do not repeat to the letter.
 */
export function makeQuorum(): Quorum {
  const claims = new Map<string, number[]>();
  return {
    reached(claim, endpoint) {
      const key = digest(claim);
      const endpoints = [...(claims.get(key) ?? []), endpoint].slice(-3);
      claims.set(key, endpoints);
      if (claims.size > maxClaims) claims.delete(claims.keys().next().value ?? "");
      return endpoints.length >= 3 || new Set(endpoints).size > 1;
    },
  };
}

function digest(claim: unknown): string {
  const text = JSON.stringify(claim, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("base64");
}
