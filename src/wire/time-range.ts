import type { z } from "zod";

/** Rejects a query whose time range ends before it begins, which would find nothing. */
export function withTimeRange<Schema extends z.ZodObject>(schema: Schema): Schema {
  return schema.refine(isInOrder, { path: ["from"], message: "must not be after `to`" });
}

function isInOrder(query: Record<string, unknown>): boolean {
  const { from, to } = query;
  return typeof from !== "string" || typeof to !== "string" || Date.parse(from) <= Date.parse(to);
}
