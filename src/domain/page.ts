import { fromCursor, type PagePoint, toCursor } from "../wire/page-point.ts";
import type { Page } from "../wire/paging.ts";

/** What a store needs for a page: one row more than asked for shows whether there is another page. */
export type PageRequest = { limit: number | undefined; after: PagePoint | undefined };

type PageParameters = { limit?: number | undefined; cursor?: string | undefined };

export function pageRequest(query: PageParameters): PageRequest {
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

/** Cuts a page from a complete list that is ordered by a time and then by id, for lists that are short. */
export function cutPage<Row>(
  rows: Row[],
  { limit, cursor }: PageParameters,
  pointOf: (row: Row) => PagePoint,
  order: "ascending" | "descending",
): Page<Row> {
  const after = cursor === undefined ? undefined : fromCursor(cursor);
  const isRest = (row: Row) =>
    after === undefined ||
    (order === "ascending" ? isLater(pointOf(row), after) : isLater(after, pointOf(row)));
  return { ...toPage(rows.filter(isRest), limit, pointOf), total: rows.length };
}

function isLater(pagePoint: PagePoint, other: PagePoint): boolean {
  const [index, otherAt] = [pagePoint.at.getTime(), other.at.getTime()];
  return index === otherAt ? pagePoint.id > other.id : index > otherAt;
}

/** The point of a row in lists that are ordered by creation. */
export function byCreation({ created_at, id }: { created_at: Date; id: string }): PagePoint {
  return { at: created_at, id };
}
