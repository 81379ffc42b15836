import type { App } from "../../app.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Span } from "../../store/analytics/activity.ts";
import { newestBlockTime } from "../../store/engine/cursors.ts";

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 7;
const maxDays = 366;
const maxOffset = 10_000;

/** Returns the time range of a query; the last seven days by default. */
export async function spanOf(
  app: App,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<Span> {
  const to = query.to ? new Date(query.to) : await newestTime(app);
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - defaultDays * dayMs);
  const invalid = (msg: string) =>
    new InvalidRequest([{ loc: ["query", query.from ? "from" : "to"], msg, type: "value_error" }]);
  if (from >= to) throw invalid("must be before `to`");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw invalid(`must not be more than ${maxDays} days before \`to\``);
  return { from, to };
}

/** The time of a block may be ahead of the clock, but by more than this only on a development chain. */
const maxAheadMs = 60 * 60 * 1000;

/** Returns a time after every event so far: now, or the end of the newest processed block if the clock of its chain is ahead. */
async function newestTime(app: App): Promise<Date> {
  const now = app.clock.now();
  const newest = await newestBlockTime(app.db, new Date(now.getTime() + maxAheadMs));
  return new Date(Math.max(now.getTime(), newest === undefined ? 0 : (newest + 1) * 1000));
}

/** Returns the offset of a page. */
export function offsetOf({ page, page_size }: { page: number; page_size: number }): number {
  const offset = (page - 1) * page_size;
  if (offset <= maxOffset) return offset;
  const msg = `exceeds the maximum offset of ${maxOffset}; move \`to\` back instead`;
  throw new InvalidRequest([{ loc: ["query", "page"], msg, type: "value_error" }]);
}
