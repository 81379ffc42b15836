import type { App } from "../app.ts";
import { dayOf } from "../lib/usage-counter.ts";
import { listKeys } from "../store/api-keys.ts";
import { addUsage, listUsage, type UsageDay } from "../store/key-usage.ts";
import type { ApiKeyUsage, ApiKeyUsageSummary } from "../wire/api-keys.ts";
import { keptDays, loadKey } from "./api-keys.ts";
import type { MemberCaller } from "./caller.ts";

const dayMs = 24 * 60 * 60 * 1000;
const shownDays = 30;

/** Writes what this process counted. What fails stays counted for the next time. */
export async function flushUsage(app: App): Promise<void> {
  await app.usage.flush((counts) =>
    addUsage(
      app.db,
      counts.map(({ lastUsedAt, ...count }) => ({ ...count, last_used_at: lastUsedAt })),
    ),
  );
}

/** One key's requests and errors by day, with what this process has not written yet. */
export async function keyUsage(app: App, caller: MemberCaller, key_id: string): Promise<ApiKeyUsage> {
  const { id } = await loadKey(app.db, caller.org_id, key_id);
  const dates = datesUntil(app.clock.now());
  const written = await listUsage(app.db, caller.org_id, dates[0] as string, id);
  const days = dates.map((date) => sumOf(date, countsOf(app, [id], date, written)));
  return { key_id: id, days, today: days.at(-1) as (typeof days)[number] };
}

/** All keys of the org, dead ones too while they are kept. */
export async function usageSummary(app: App, caller: MemberCaller): Promise<ApiKeyUsageSummary> {
  const now = app.clock.now();
  const rows = await listKeys(app.db, caller.org_id, new Date(now.getTime() - keptDays * dayMs));
  const dates = datesUntil(now);
  const written = await listUsage(app.db, caller.org_id, dates[0] as string);
  const ids = rows.map((row) => row.id);
  const days = dates.map((date) => sumOf(date, countsOf(app, ids, date, written)));
  const keys = rows.map(({ id, name, prefix }) => {
    const all = dates.flatMap((date) => countsOf(app, [id], date, written));
    const { requests, errors } = sumOf("", all);
    return { key_id: id, name, prefix, requests, errors };
  });
  return { days, today: days.at(-1) as (typeof days)[number], keys };
}

function countsOf(app: App, key_ids: string[], date: string, written: UsageDay[]) {
  const ids = new Set(key_ids);
  const pending = key_ids.flatMap((id) => app.usage.pending(id, date) ?? []);
  return [...written.filter(({ key_id, day }) => day === date && ids.has(key_id)), ...pending];
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
