import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The Prometheus metrics of the service. */
export function makeMetrics() {
  const registry = new Registry();
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
    mailWaiting: new Gauge({
      name: "tocsin_mail_waiting",
      help: "Mails not yet handed over, as last counted by the sender.",
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

export type Metrics = ReturnType<typeof makeMetrics>;
