import type pg from "pg";
import type { ChainClients } from "./chains/chain-client.ts";
import { openChainClients } from "./chains/open-chain-clients.ts";
import { CallCounters, type CallObserver } from "./chains/rpc/call-counter.ts";
import type { Config } from "./config.ts";
import { type Faults, noFaults } from "./faults.ts";
import { type Bus, makeLocalBus } from "./lib/bus/bus.ts";
import { type LoadingCache, makeLoadingCache } from "./lib/caching/loading-cache.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { makeWorkerPool, type WorkerPool } from "./lib/concurrency/worker-pool.ts";
import { type Limiter, makeMemoryLimiter } from "./lib/limiter/limiter.ts";
import type { Log } from "./lib/log/log.ts";
import type { Mailer } from "./lib/mail/mailer.ts";
import { type Metrics, makeMetrics } from "./lib/metrics/metrics.ts";
import type { MetricsSnapshot } from "./lib/metrics/snapshot.ts";
import { makeAddressPolicy } from "./lib/outbound/address-policy.ts";
import { makeOutbound, type Outbound } from "./lib/outbound/outbound.ts";
import { makePasswords, type Passwords } from "./lib/passwords/passwords.ts";
import { type Random, systemRandom, uuidv7 } from "./lib/random.ts";
import type { Vault } from "./lib/secrets/vault.ts";
import { makeUsageCounter, type UsageCounter } from "./lib/usage-counter.ts";
import type { Db } from "./store/open-store.ts";
import { type KeyCache, makeKeyCache } from "./store/orgs/key-cache.ts";

/**
 * The ports of the service (clock, randomness, database, network…). Every domain function, pipeline stage and job
 * takes it as its first argument.
 */
export type App = {
  config: Config;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  db: Db;
  /** For the prepared statements of hot paths; everything else uses `db`. */
  pool: pg.Pool;
  outbound: Outbound & { close(): void };
  /** An HTTP client for services whose URLs the operator configures; it may reach any address. */
  services: Outbound & { close(): void };
  /** Clients of the enabled chains, for requests. The pipeline has its own readers. */
  chains: ChainClients;
  /** The calls to the nodes of each chain, by the engine and for requests. */
  calls: CallCounters;
  /** Cached replies of chains and external services. */
  lookups: LoadingCache;
  bus: Bus;
  vault: Vault;
  mailer: Mailer;
  faults: Faults;
  /** Rate limits of API keys. */
  limiter: Limiter;
  /** Recently used API keys. */
  keyCache: KeyCache;
  usage: UsageCounter;
  /** Hashes passwords in turns of addresses. */
  passwords: Passwords;
  /** Threads for work whose cost a caller controls. */
  workers: WorkerPool;
  /** The metrics of the other processes of this service. */
  peerMetrics(): Promise<MetricsSnapshot[]>;
};

type Essentials = Pick<App, "config" | "log" | "db" | "pool" | "vault" | "mailer">;

/** Completes the given ports with the defaults of a single process. */
export function composeApp(ports: Essentials & Partial<App>): App {
  const clock = ports.clock ?? systemClock;
  const bus = ports.bus ?? makeLocalBus();
  const metrics = ports.metrics ?? makeMetrics(nameOf(ports.config));
  const calls = ports.calls ?? new CallCounters(clock, (chain) => observeCalls(metrics, chain));
  return {
    random: systemRandom,
    metrics,
    outbound: makeOutbound({ policy: makeAddressPolicy({ allow: ports.config.outboundAllow }) }),
    services: makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) }),
    chains: openChainClients({ rpc: ports.config.rpc, clock, log: ports.log, calls }),
    calls,
    lookups: makeLoadingCache({ clock, max: 300 }),
    faults: noFaults,
    limiter: makeMemoryLimiter(clock),
    keyCache: makeKeyCache({ clock, bus }),
    usage: makeUsageCounter(),
    passwords: makePasswords(),
    workers: makeWorkerPool(),
    peerMetrics: async () => [],
    ...ports,
    clock,
    bus,
  };
}

function observeCalls(metrics: Metrics, chain: string): CallObserver {
  return {
    onCall: (host, method) => metrics.rpcCalls.inc({ chain, host, method }),
    onRequest({ host, method, seconds, outcome }) {
      metrics.rpcSeconds.observe({ chain, host, method }, seconds);
      if (outcome !== "ok") metrics.rpcErrors.inc({ chain, host, method, kind: outcome });
    },
  };
}

/** The name of this process in metrics. */
function nameOf({ roles }: Config): string {
  return roles.size === 4 ? "all" : [...roles].join("+");
}

/** A UUID v7, which sorts by creation time. */
export function newId(app: App): string {
  return uuidv7(app.clock.now(), app.random);
}

/** The time `seconds` from now. */
export function inSeconds(app: App, seconds: number): Date {
  return new Date(app.clock.now().getTime() + seconds * 1000);
}
