import type { App } from "../../app.ts";
import { dayOf } from "../../lib/usage-counter.ts";
import { listKeys } from "../../store/orgs/api-keys.ts";
import { addUsage, listUsage, type UsageDay } from "../../store/orgs/key-usage.ts";
import type { ApiKeyUsage, ApiKeyUsageSummary } from "../../wire/orgs/api-keys.ts";
import type { MemberCaller } from "../caller.ts";
import { inactiveKeyDays, loadKey } from "./api-keys.ts";

const dayMs = 24 * 60 * 60 * 1000;
const shownDays = 30;

/** Writes the counts of this process. If it fails, they are kept for the next flush. */
export async function flushUsage(app: App): Promise<void> {
  await app.usage.flush((counts) =>
    addUsage(
      app.db,
      counts.map(({ lastUsedAt, ...count }) => ({ ...count, last_used_at: lastUsedAt })),
    ),
  );
}

/** Returns requests and errors of a key by day, including counts that are not written yet. */
export async function keyUsage(app: App, caller: MemberCaller, key_id: string): Promise<ApiKeyUsage> {
  const { id } = await loadKey(app.db, caller.org_id, key_id);
  const dates = datesUntil(app.clock.now());
  const written = await listUsage(app.db, caller.org_id, dates[0] as string, id);
  const counts = countsBy(app, written);
  const days = dates.map((date) => sumOf(date, counts(id, date)));
  return { key_id: id, days, today: days.at(-1) as (typeof days)[number] };
}

/** Returns the usage of all keys of the org, including inactive ones that are still listed. */
export async function usageSummary(app: App, caller: MemberCaller): Promise<ApiKeyUsageSummary> {
  const now = app.clock.now();
  const rows = await listKeys(app.db, caller.org_id, new Date(now.getTime() - inactiveKeyDays * dayMs));
  const dates = datesUntil(now);
  const written = await listUsage(app.db, caller.org_id, dates[0] as string);
  const counts = countsBy(app, written);
  const days = dates.map((date) =>
    sumOf(
      date,
      rows.flatMap(({ id }) => counts(id, date)),
    ),
  );
  const keys = rows.map(({ id, name, prefix }) => {
    const all = dates.flatMap((date) => counts(id, date));
    const { requests, errors } = sumOf("", all);
    return { key_id: id, name, prefix, requests, errors };
  });
  return { days, today: days.at(-1) as (typeof days)[number], keys };
}

/** Indexes usage by key and day; returns a lookup of written and unwritten counts. */
function countsBy(app: App, written: UsageDay[]) {
  const byKeyAndDay = new Map(written.map((row) => [`${row.key_id} ${row.day}`, row]));
  return (key_id: string, date: string) =>
    [byKeyAndDay.get(`${key_id} ${date}`), app.usage.pending(key_id, date)].filter(
      (time) => time !== undefined,
    );
}

function sumOf(date: string, counts: { requests: number; errors: number }[]) {
  const sum = { date, requests: 0, errors: 0 };
  for (const { requests, errors } of counts) {
    sum.requests += requests;
    sum.errors += errors;
  }
  return sum;
}

/** The last 30 days in UTC, oldest first, today included. */
function datesUntil(now: Date): string[] {
  return Array.from({ length: shownDays }, (_, index) =>
    dayOf(new Date(now.getTime() - (shownDays - 1 - index) * dayMs)),
  );
}
