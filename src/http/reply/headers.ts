import type { Config } from "../../config.ts";
import type { RateWindow } from "../../errors/app-error.ts";

/** Headers of every reply: no framing, sniffing or caching. Pages override the content security policy. */
export function securityHeaders(
  config: Pick<Config, "publicUrl">,
  request_id: string,
): Record<string, string> {
  return {
    "x-request-id": request_id,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    ...(config.publicUrl?.protocol === "https:" && {
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    }),
  };
}

/** The headers for a limit of requests per time: how many are left, and the seconds until there are more. */
export function rateLimitHeaders(
  { name, limit, seconds }: RateWindow,
  remaining: number,
  resetSeconds: number,
): Record<string, string> {
  return {
    "ratelimit-policy": `"${name}";q=${limit};w=${seconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
