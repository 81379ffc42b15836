/** The URLs to which requests are sent. With websocket URLs only, the HTTP URLs at the same place, where most nodes listen. */
export function httpUrls(urls: readonly string[]): string[] {
  const plain = urls.filter((url) => !isWebSocketUrl(url));
  return plain.length > 0 ? plain : urls.map((url) => url.replace(/^ws/i, "http"));
}

/** The URLs at which nodes announce new activity. */
export function webSocketUrls(urls: readonly string[]): string[] {
  return urls.filter(isWebSocketUrl);
}

function isWebSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url);
}
