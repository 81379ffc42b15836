import type pg from "pg";
import type { ChainClients } from "./chains/chain-client.ts";
import { openChainClients } from "./chains/open-chain-clients.ts";
import type { Config } from "./config.ts";
import { type Faults, noFaults } from "./faults.ts";
import { type Bus, makeLocalBus } from "./lib/bus/bus.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { type Limiter, makeMemoryLimiter } from "./lib/limiter/limiter.ts";
import { type LoadingCache, makeLoadingCache } from "./lib/loading-cache.ts";
import type { Log } from "./lib/log.ts";
import type { Mailer } from "./lib/mail/mailer.ts";
import { type Metrics, makeMetrics } from "./lib/metrics.ts";
import { makeAddressPolicy } from "./lib/outbound/address-policy.ts";
import { makeOutbound, type Outbound } from "./lib/outbound/outbound.ts";
import { type Random, systemRandom, uuidv7 } from "./lib/random.ts";
import type { Vault } from "./lib/secrets/vault.ts";
import { makeUsageCounter, type UsageCounter } from "./lib/usage-counter.ts";
import type { Db } from "./store/open-store.ts";
import { type KeyCache, makeKeyCache } from "./store/orgs/key-cache.ts";

/** The world as the service sees it: every verb, stage and job takes it first. */
export type App = {
  config: Config;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  db: Db;
  /** For the few prepared statements of hot paths; everything else goes through `db`. */
  pool: pg.Pool;
  outbound: Outbound & { close(): void };
  /** To the services whose URLs the operator chose, which may be anywhere. */
  services: Outbound & { close(): void };
  /** The chains that run here, for whoever has a question. */
  chains: ChainClients;
  /** What outside services answered a while ago. */
  lookups: LoadingCache;
  bus: Bus;
  vault: Vault;
  mailer: Mailer;
  faults: Faults;
  /** The windows of API keys. */
  limiter: Limiter;
  /** Keys that were looked up a moment ago. */
  keyCache: KeyCache;
  usage: UsageCounter;
};

type Essentials = Pick<App, "config" | "log" | "db" | "pool" | "vault" | "mailer">;

/** An app around what is given; everything else is as one process by itself has it. */
export function composeApp(given: Essentials & Partial<App>): App {
  const clock = given.clock ?? systemClock;
  const bus = given.bus ?? makeLocalBus();
  return {
    random: systemRandom,
    metrics: makeMetrics(),
    outbound: makeOutbound({ policy: makeAddressPolicy({ allow: given.config.outboundAllow }) }),
    services: makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) }),
    chains: openChainClients({ rpc: given.config.rpc, clock, log: given.log }),
    lookups: makeLoadingCache({ clock, max: 300 }),
    faults: noFaults,
    limiter: makeMemoryLimiter(clock),
    keyCache: makeKeyCache({ clock, bus }),
    usage: makeUsageCounter(),
    ...given,
    clock,
    bus,
  };
}

/** An id that sorts by the time it was made. */
export function newId(app: App): string {
  return uuidv7(app.clock.now(), app.random);
}

/** The time this many seconds from now. */
export function inSeconds(app: App, seconds: number): Date {
  return new Date(app.clock.now().getTime() + seconds * 1000);
}
