import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import type { Page } from "../../wire/paging.ts";

/** Sets the headers of a page and returns its items, which are the body. */
export function unpackPage(
  { publicUrl }: Pick<Config, "publicUrl">,
  request: FastifyRequest,
  reply: FastifyReply,
  { items, next, total }: Page<unknown>,
): unknown[] {
  if (total !== undefined) reply.header("x-total-count", String(total));
  if (next !== undefined) {
    const base = publicUrl?.href.replace(/\/$/, "") ?? "";
    reply.header("link", `<${base}${urlOfNext(request.url, next)}>; rel="next"`);
  }
  return items;
}

/** The same request with the cursor, which replaces an offset. */
function urlOfNext(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, "http://service");
  searchParams.delete("offset");
  searchParams.set("cursor", cursor);
  return `${pathname}?${searchParams}`;
}
