/** Masks every secret in a text, also in percent-encoded form. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((secret) => secret.length >= minLength)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, "•••"), text);
}

// Masking anything shorter would garble ordinary text.
const minLength = 6;

/** Returns the secrets in a URL that is itself a credential: the whole URL and each part that is not a plain word. */
export function secretsInUrl(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [text];
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()];
  return [text, url.href, url.pathname + url.search, url.pathname, ...parts].filter(
    (part) => !/^\/?[a-z]{0,12}$/.test(part),
  );
}
