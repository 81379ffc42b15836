import type { App } from "../../app.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Span } from "../../store/analytics/activity.ts";

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 7;
const maxDays = 366;
const maxOffset = 10_000;

/** Returns the time range of a query; the last seven days by default. */
export function spanOf(app: App, query: { from?: string | undefined; to?: string | undefined }): Span {
  const to = query.to ? new Date(query.to) : app.clock.now();
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - defaultDays * dayMs);
  const invalid = (msg: string) =>
    new InvalidRequest([{ loc: ["query", query.from ? "from" : "to"], msg, type: "value_error" }]);
  if (from >= to) throw invalid("must be before `to`");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw invalid(`must not be more than ${maxDays} days before \`to\``);
  return { from, to };
}

/** Returns the offset of a page. */
export function offsetOf({ page, page_size }: { page: number; page_size: number }): number {
  const offset = (page - 1) * page_size;
  if (offset <= maxOffset) return offset;
  const msg = `exceeds the maximum offset of ${maxOffset}; move \`to\` back instead`;
  throw new InvalidRequest([{ loc: ["query", "page"], msg, type: "value_error" }]);
}
