/** Where to go after log-in: only a path of this site, so that a link cannot lead a visitor elsewhere. */
export function nextPath(): string {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  if (!URL.canParse(next, location.origin)) return "/";
  const url = new URL(next, location.origin);
  const isOurs = url.origin === location.origin && next.startsWith("/") && !next.startsWith("//");
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : "/";
}

/** The query that keeps the destination from one account page to the next. */
export function queryWithNext(): string {
  const next = nextPath();
  return next === "/" ? "" : `?next=${encodeURIComponent(next)}`;
}

/** The token of the invite that the visitor comes from; empty if they do not. */
export function inviteToken(): string {
  const { pathname, hash } = new URL(nextPath(), location.origin);
  return pathname === "/links/invite" ? hash.slice(1) : "";
}
