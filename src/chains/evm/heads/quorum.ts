import { createHash } from "node:crypto";

/** Counts identical claims, to decide when data that cannot be verified is accepted. */
export type Quorum = { reached(claim: unknown, endpoint: number): boolean };

const maxClaims = 500;

/**
 * Chains differ from Ethereum in ways that a check cannot foresee. Data that fails a check is accepted when two endpoints
 * return it identically, or one endpoint returns it three times: random faults do not repeat exactly.
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

/** Returns a short text that is the same for equal claims. */
export function digest(claim: unknown): string {
  const text = JSON.stringify(claim, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("base64");
}
