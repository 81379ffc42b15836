import type { Config } from "../../config.ts";

/** Headers of every answer. Pages set their own content policy; nothing of ours may be framed, sniffed or cached. */
export function safetyHeaders(config: Pick<Config, "publicUrl">, request_id: string): Record<string, string> {
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
