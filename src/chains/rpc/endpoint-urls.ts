/** The URLs to which calls are sent: over HTTP, or over websockets where there are only these. */
export function callUrls(urls: readonly string[]): readonly string[] {
  const plain = urls.filter((url) => !isWebSocketUrl(url));
  return plain.length > 0 ? plain : urls;
}

/** The same where websockets accept only subscriptions, as on Solana: the HTTP URLs at the same place. */
export function httpUrls(urls: readonly string[]): string[] {
  return callUrls(urls).map((url) => url.replace(/^ws/i, "http"));
}

/** The URLs at which nodes announce new activity. */
export function webSocketUrls(urls: readonly string[]): string[] {
  return urls.filter(isWebSocketUrl);
}

export function isWebSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url);
}
