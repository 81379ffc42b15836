import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import { withDeadline } from "../lib/deadline.ts";
import { sameSecret } from "../lib/secrets/tokens.ts";
import { pendingMigrations } from "../store/migrate.ts";

/** What machines ask: is the process alive, may it get traffic, what does it count. */
export function serveProbes(server: FastifyInstance, app: App): void {
  server.get("/healthz", async () => ({ status: "ok" }));

  server.get("/readyz", async () => {
    const late = () => new AppError("unavailable", "The database does not answer.", { retryAfterSeconds: 2 });
    await withDeadline(3_000, sql`select 1`.execute(app.db), late);
    const pending = await pendingMigrations(app.db);
    if (pending.length > 0)
      throw new AppError("unavailable", "Migrations are pending.", { retryAfterSeconds: 2 });
    return { status: "ok" };
  });

  server.get("/metrics", async (request, reply) => {
    const token = app.config.metricsToken;
    if (!token)
      throw new AppError("not_found", "There is nothing here. Set METRICS_TOKEN to switch metrics on.");
    if (!sameSecret(request.headers.authorization ?? "", `Bearer ${token}`)) {
      throw new AppError("unauthenticated", "Send METRICS_TOKEN as a Bearer token.");
    }
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  });
}
