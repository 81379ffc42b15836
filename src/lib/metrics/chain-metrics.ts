import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** What following the chains shows: heights, reorganisations, calls to the endpoints, and events. */
export function chainMetrics(registers: Registry[]) {
  return {
    chainHead: new Gauge({
      name: "tocsin_chain_head_height",
      help: "The height of the newest block that the endpoints of a chain report.",
      labelNames: ["chain"],
      registers,
    }),
    chainProcessed: new Gauge({
      name: "tocsin_chain_processed_height",
      help: "The height of the newest block of a chain that was evaluated and committed.",
      labelNames: ["chain"],
      registers,
    }),
    chainLag: new Gauge({
      name: "tocsin_chain_lag_blocks",
      help: "Blocks of a chain that were reported and not yet committed.",
      labelNames: ["chain"],
      registers,
    }),
    chainFailures: new Counter({
      name: "tocsin_chain_failures_total",
      help: "Steps of following a chain that failed and were tried again.",
      labelNames: ["chain"],
      registers,
    }),
    reorgs: new Counter({
      name: "tocsin_chain_reorgs_total",
      help: "Reorganisations of a chain that were rolled back.",
      labelNames: ["chain"],
      registers,
    }),
    blockToCommit: new Histogram({
      name: "tocsin_block_to_commit_seconds",
      help: "Time from the timestamp of the newest block of a batch to its commit.",
      labelNames: ["chain"],
      buckets: [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300, 1800],
      registers,
    }),
    events: new Counter({
      name: "tocsin_events_total",
      help: "Alert events that were committed, by severity.",
      labelNames: ["severity"],
      registers,
    }),
    rpcCalls: new Counter({
      name: "tocsin_rpc_calls_total",
      help: "Calls to the endpoints of chains by method.",
      labelNames: ["chain", "host", "method"],
      registers,
    }),
    rpcErrors: new Counter({
      name: "tocsin_rpc_errors_total",
      help: "Failed requests to the endpoints of chains by method and kind of failure.",
      labelNames: ["chain", "host", "method", "kind"],
      registers,
    }),
    rpcSeconds: new Histogram({
      name: "tocsin_rpc_request_duration_seconds",
      help: "Time from a request to an endpoint of a chain to its reply, with the wait for the rate limit.",
      labelNames: ["chain", "host", "method"],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    rpcCallsPlanned: new Gauge({
      name: "tocsin_rpc_calls_per_day_estimate",
      help: "Calls a day that the current reading plan of a chain costs.",
      labelNames: ["chain", "plan"],
      registers,
    }),
  };
}
