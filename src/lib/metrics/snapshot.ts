import { AggregatorRegistry } from "prom-client";
import type { WorkerPool } from "../concurrency/worker-pool.ts";
import type { Metrics } from "./metrics.ts";

/** The metrics of a process at one moment, as plain data that can be sent to another process. */
export type MetricsSnapshot = object[];

/** Reads the metrics of this process, with the state of its worker threads. */
export async function snapshotMetrics(metrics: Metrics, workers: WorkerPool): Promise<MetricsSnapshot> {
  const { running, queued, threads } = workers.counts();
  metrics.workerTasks.set({ state: "running" }, running);
  metrics.workerTasks.set({ state: "queued" }, queued);
  metrics.workerThreads.set(threads);
  return metrics.registry.getMetricsAsJSON();
}

/** Formats the metrics of several processes as one text. */
export function formatMetrics(snapshots: MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots).metrics();
}
