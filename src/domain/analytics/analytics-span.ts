import type { App } from "../../app.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Span } from "../../store/analytics/activity.ts";

const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 7;
const maxDays = 366;
const maxOffset = 10_000;

/** The span that a query asks for: the last seven days unless it says otherwise. */
export function spanOf(app: App, query: { from?: string | undefined; to?: string | undefined }): Span {
  const to = query.to ? new Date(query.to) : app.clock.now();
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - usualDays * dayMs);
  const refuse = (msg: string) =>
    new InvalidRequest([{ loc: ["query", query.from ? "from" : "to"], msg, type: "value_error" }]);
  if (from >= to) throw refuse("must be before `to`");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw refuse(`must not be more than ${maxDays} days before \`to\``);
  return { from, to };
}

/** How many rows come before a page. */
export function offsetOf({ page, page_size }: { page: number; page_size: number }): number {
  const offset = (page - 1) * page_size;
  if (offset <= maxOffset) return offset;
  const msg = `leads beyond the first ${maxOffset} rows; move \`to\` back instead`;
  throw new InvalidRequest([{ loc: ["query", "page"], msg, type: "value_error" }]);
}
