import { type RawBuilder, sql } from "kysely";

/** The problems of one kind that are known at a time. */
const maxFindings = 10_000;

/**
 * The first problems of each org, by id, before the second ones: when there are too many, those of one org leave none of the
 * others out.
 */
export function limitFairly<Row>(problems: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`
    select * from (
      select p.*, row_number() over (partition by p.org_id order by p.id) as turn from (${problems}) p) p
    order by p.turn, p.id limit ${sql.lit(maxFindings)}`;
}
