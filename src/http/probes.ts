import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { requireReady } from "../domain/readiness.ts";
import { AppError } from "../errors/app-error.ts";
import { shareRunning } from "../lib/caching/share-running.ts";
import { formatMetrics, snapshotMetrics } from "../lib/metrics/snapshot.ts";
import { sameSecret } from "../lib/secrets/tokens.ts";

/** Serves liveness, readiness and metrics for orchestrators and monitoring. */
export function serveProbes(server: FastifyInstance, app: App): void {
  // Anyone may ask, as often as they like: that must not take the connections of others.
  const checkReady = shareRunning(() => requireReady(app));
  server.get("/healthz", async () => ({ status: "ok" }));

  server.get("/readyz", async () => {
    await checkReady();
    return { status: "ok" };
  });

  server.get("/metrics", async (request, reply) => {
    const token = app.config.metricsToken;
    if (!token) throw new AppError("not_found", "Metrics are disabled. Set METRICS_TOKEN to enable them.");
    if (!sameSecret(request.headers.authorization ?? "", `Bearer ${token}`)) {
      throw new AppError("unauthenticated", "Send METRICS_TOKEN as a Bearer token.");
    }
    const snapshot = await snapshotMetrics(app.metrics, app.workers);
    const text = await formatMetrics([snapshot, ...(await app.peerMetrics())]);
    return reply.type(app.metrics.registry.contentType).send(text);
  });
}
