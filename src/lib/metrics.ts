import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { WorkerPool } from "./concurrency/worker-pool.ts";

/** The Prometheus metrics of a process; the label `process` names its roles. */
export function makeMetrics(processName: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry, prefix: "tocsin_" });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: "tocsin_http_requests_total",
      help: "Answered requests by operation and status.",
      labelNames: ["operation", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "tocsin_http_request_seconds",
      help: "Time from request to answer.",
      labelNames: ["operation"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    jobRuns: new Counter({
      name: "tocsin_job_runs_total",
      help: "Runs of background jobs by outcome.",
      labelNames: ["job", "outcome"],
      registers,
    }),
    workerTasks: new Gauge({
      name: "tocsin_worker_tasks",
      help: "Tasks of the worker threads, running and queued.",
      labelNames: ["state"],
      registers,
    }),
    workerThreads: new Gauge({
      name: "tocsin_worker_threads",
      help: "Worker threads that exist now; they start on demand.",
      registers,
    }),
    mailWaiting: new Gauge({
      name: "tocsin_mail_waiting",
      help: "Mails not yet handed over, as last counted by the sender.",
      registers,
    }),
    rpcCalls: new Counter({
      name: "tocsin_rpc_calls_total",
      help: "Calls to the endpoints of chains by method.",
      labelNames: ["chain", "host", "method"],
      registers,
    }),
    rpcCallsPlanned: new Gauge({
      name: "tocsin_rpc_calls_per_day_estimate",
      help: "Calls a day that the current reading plan of a chain costs.",
      labelNames: ["chain", "plan"],
      registers,
    }),
    deliveryAttempts: new Counter({
      name: "tocsin_delivery_attempts_total",
      help: "Attempts to send a message by type of channel and outcome.",
      labelNames: ["type", "outcome"],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: "tocsin_delivery_latency_seconds",
      help: "Time from a message made to a message sent.",
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600],
      registers,
    }),
  };
}

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

export type Metrics = ReturnType<typeof makeMetrics>;
