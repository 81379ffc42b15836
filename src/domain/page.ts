import { fromCursor, type PagePoint, toCursor } from "../wire/page-point.ts";
import type { Page } from "../wire/paging.ts";

/** What a store needs for a page: one row more than asked for shows whether there is another page. */
export type PageRequest = { limit: number | undefined; after: PagePoint | undefined };

export function pageRequest(query: { limit?: number | undefined; cursor?: string | undefined }): PageRequest {
  return {
    limit: query.limit === undefined ? undefined : query.limit + 1,
    after: query.cursor === undefined ? undefined : fromCursor(query.cursor),
  };
}

/** Cuts the rows of a `PageRequest` to the page that was asked for. */
export function toPage<Row>(
  rows: Row[],
  limit: number | undefined,
  pointOf: (row: Row) => PagePoint,
): Page<Row> {
  const items = limit === undefined ? rows : rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > items.length && last ? toCursor(pointOf(last)) : undefined };
}

/** The point of a row in lists that are ordered by creation. */
export function byCreation({ created_at, id }: { created_at: Date; id: string }): PagePoint {
  return { at: created_at, id };
}
