import { sql } from "kysely";
import type { App } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import { withDeadline } from "../lib/concurrency/deadline.ts";
import { pendingMigrations } from "../store/migrate.ts";

const timeoutMs = 3_000;

/** Rejects with `unavailable` unless the database responds and all migrations have run. */
export async function requireReady(app: App): Promise<void> {
  const unavailable = (message: string) => new AppError("unavailable", message, { retryAfterSeconds: 2 });
  await withDeadline(timeoutMs, sql`select 1`.execute(app.db), () =>
    unavailable("The database does not respond."),
  );
  const pending = await pendingMigrations(app.db);
  if (pending.length > 0) throw unavailable("Migrations are pending.");
}
