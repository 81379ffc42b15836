import type pg from "pg";
import type { Config } from "./config.ts";
import type { Bus } from "./lib/bus.ts";
import type { Clock } from "./lib/clock.ts";
import type { Faults } from "./lib/faults.ts";
import type { Log } from "./lib/log.ts";
import type { Mailer } from "./lib/mailer.ts";
import type { Metrics } from "./lib/metrics.ts";
import type { Outbound } from "./lib/outbound.ts";
import { type Random, uuidv7 } from "./lib/random.ts";
import type { Vault } from "./lib/vault.ts";
import type { Db } from "./store/open.ts";

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
  bus: Bus;
  vault: Vault;
  mailer: Mailer;
  faults: Faults;
};

/** An id that sorts by the time it was made. */
export function newId(app: App): string {
  return uuidv7(app.clock.now(), app.random);
}

/** The time this many seconds from now. */
export function inSeconds(app: App, seconds: number): Date {
  return new Date(app.clock.now().getTime() + seconds * 1000);
}
