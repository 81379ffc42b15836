import { z } from "zod";
import { fromCursor, toCursor } from "./page-point.ts";

/**
 * One page of a list. `next` is the cursor of the next page, if there is one, `total` the size of the whole list, if it is
 * known.
 */
export type Page<Item> = { items: Item[]; next?: string | undefined; total?: number | undefined };

const example = toCursor({ at: new Date(1794735000000), id: "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42" });

export const Cursor = z
  .string()
  .max(100, { abort: true })
  .refine(
    (text) => fromCursor(text) !== undefined,
    "is not a cursor of this list; take it from the Link header",
  )
  .meta({
    description: "Continues after the page whose `Link` header has this cursor.",
    examples: [example],
  });

/** The parameters of a list that is complete without them. */
export const pageQuery = {
  limit: z.int().min(1).max(500).optional().describe("Maximum number of items; all by default."),
  cursor: Cursor.optional(),
};

/** The query of a list without filters. */
export const PageQuery = z.strictObject(pageQuery);
export type PageQuery = z.infer<typeof PageQuery>;
