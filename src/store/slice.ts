import { type RawBuilder, sql } from "kysely";
import type { PagePoint } from "../wire/page-point.ts";

/** The part of a list that a query returns: all of it without a limit, from its start without a point. */
export type Slice = { limit?: number | undefined; after?: PagePoint | undefined };

/** True for the rows that follow a point in a list that is ordered by time and id, the newest first. */
export function isAfter(
  point: PagePoint | undefined,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return point
    ? sql<boolean>`((${at}, ${id}) < (${point.at}::timestamptz, ${point.id}::uuid))`
    : sql<boolean>`true`;
}
