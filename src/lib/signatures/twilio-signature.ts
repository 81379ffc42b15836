import { createHmac } from "node:crypto";
import { sameSecret } from "../secrets/tokens.ts";

type Signed = { url: string; params: Map<string, string[]>; token: string; signature: string };

/**
 * Verifies the Twilio signature of a form. Some Twilio services include the default port in the signed URL, some do
 * not.
 */
export function isSignedByTwilio({ url, params, token, signature }: Signed): boolean {
  const fields = [...params.keys()].sort().map((name) => fieldOf(name, params.get(name) ?? []));
  const matches = spellingsOf(url).map((spelling) => {
    const data = spelling + fields.join("");
    return sameSecret(signature, createHmac("sha1", token).update(data, "utf8").digest("base64"));
  });
  return matches.includes(true);
}

/** Parses a form into its fields and their values, in order; undefined if it has more than `maxFields` fields. */
export function parseForm(bytes: Buffer, maxFields: number): Map<string, string[]> | undefined {
  if (countFields(bytes) > maxFields) return undefined;
  const params = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) {
    const values = params.get(name);
    if (values) values.push(value);
    else params.set(name, [value]);
  }
  return params;
}

/** Counts the fields before the form is parsed. */
function countFields(bytes: Buffer): number {
  let count = 1;
  for (let index = bytes.indexOf("&"); index !== -1; index = bytes.indexOf("&", index + 1)) count += 1;
  return count;
}

function fieldOf(name: string, values: string[]): string {
  return [...new Set(values)]
    .sort()
    .map((value) => name + value)
    .join("");
}

/** The URL without and with a port; path and query are unchanged. */
function spellingsOf(url: string): string[] {
  const [, scheme = "", host = "", port = "", rest = ""] =
    /^(https?:\/\/)(\[[^\]]*\]|[^/?#:]*)(:\d+)?(.*)$/s.exec(url) ?? [];
  const usual = scheme === "https://" ? ":443" : ":80";
  return [`${scheme}${host}${rest}`, `${scheme}${host}${port || usual}${rest}`];
}
