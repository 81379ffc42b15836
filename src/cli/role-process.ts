import { flushCompileCache } from "node:module";
import type { Role } from "../config/settings.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { type MetricsSnapshot, snapshotMetrics } from "../lib/metrics/snapshot.ts";
import { openChannel } from "../lib/process/message-channel.ts";
import { stopDeadlines } from "../lib/process/stop-deadlines.ts";
import { loadRoles, type RoleProcess, startRoleProcess } from "../main.ts";

/** Longer than the other processes need to answer. */
const peerTimeoutMs = 2_000;

/** Runs some roles as a child of the supervisor until it asks to stop or ends. */
export async function runRoleProcess(config: Config, roles: Set<Role>): Promise<void> {
  process.title = `tocsin ${[...roles].join("+")}`;
  // A terminal sends these to all processes; the supervisor stops them in order.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const terminated = new Promise<void>((resolve) => process.once("SIGTERM", resolve));
  // Without the supervisor the database ends as well.
  process.once("disconnect", () => process.exit(1));
  const { promise: allowed, resolve: allow } = Promise.withResolvers<unknown>();
  let service: RoleProcess | undefined;
  const channel = openChannel(process, {
    metrics: async () => service && snapshotMetrics(service.app.metrics, service.app.workers),
    start: async (key) => allow(key),
    secretsKey: async (key) => service?.app.vault.learn(Buffer.from(String(key), "base64")),
  });
  const peerMetrics = async () => {
    const snapshots = await channel.request("peerMetrics", peerTimeoutMs);
    return Array.isArray(snapshots) ? (snapshots.filter(Array.isArray) as MetricsSnapshot[]) : [];
  };
  const keepKey = (key: Buffer) => channel.notify("secretsKey", key.toString("base64"));
  try {
    await loadRoles(roles);
    const start = await Promise.race([allowed.then((key) => ({ key })), terminated.then(() => undefined)]);
    if (!start) process.exit(0);
    const secretsKey = typeof start.key === "string" ? start.key : config.secretsKey;
    service = await startRoleProcess({ ...config, roles, secretsKey }, { peerMetrics, keepKey });
  } catch (error) {
    await channel.notify("failed", error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  await channel.notify("ready", service.url);
  flushCompileCache();
  await terminated;
  void systemClock.sleep(stopDeadlines.roleMs).then(() => process.exit(1));
  await service.stop();
  process.exit(0);
}
