import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { chainMetrics } from "./chain-metrics.ts";
import { deliveryMetrics } from "./delivery-metrics.ts";

export type Metrics = ReturnType<typeof makeMetrics>;

/** The Prometheus metrics of a process; the label `process` names its roles. Default metrics keep their usual names. */
export function makeMetrics(processName: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    ...chainMetrics(registers),
    ...deliveryMetrics(registers),
    requests: new Counter({
      name: "tocsin_http_requests_total",
      help: "Answered requests by operation and status.",
      labelNames: ["operation", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "tocsin_http_request_duration_seconds",
      help: "Time from request to answer.",
      labelNames: ["operation"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    streamConnections: new Gauge({
      name: "tocsin_stream_connections",
      help: "Open live streams.",
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
  };
}
