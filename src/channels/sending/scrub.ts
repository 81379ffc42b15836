/** Takes every secret out of a text, also where it stands percent-encoded. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((secret) => secret.length >= shortest)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, "•••"), text);
}

// Anything shorter is no secret worth the name, and would tear holes into every answer.
const shortest = 6;

/** What is secret in a URL that is itself a key: the whole, and each part that is not just a word. */
export function secretsInUrl(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [text];
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()];
  return [text, url.href, url.pathname + url.search, url.pathname, ...parts].filter(
    (part) => !/^\/?[a-z]{0,12}$/.test(part),
  );
}
