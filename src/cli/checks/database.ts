import { sql } from "kysely";
import type { Config } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import { withApp, withDatabase } from "../../main.ts";
import { countMails } from "../../store/accounts/mail.ts";
import { proveKey } from "../../store/secrets/key-ring.ts";
import type { Check } from "./check.ts";

/** Leases use the clock of the database and due times that of the service: some seconds apart are harmless. */
const maxClockDifferenceMs = 5_000;

export function databaseChecks(config: Config): Check[] {
  return [
    {
      name: "Database",
      probe: () =>
        withDatabase(config, async (db) => {
          const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
          const { queued, failed } = await countMails(db);
          return `PostgreSQL ${rows[0]?.server_version}, migrated; mails: ${queued} waiting, ${failed} failed`;
        }),
    },
    {
      name: "Clock",
      remedy: "Synchronise the clocks of both machines, for example with chrony.",
      probe: () =>
        withDatabase(config, async (db) => {
          const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
          const differenceMs = Math.abs(systemClock.now().getTime() - (rows[0]?.now.getTime() ?? 0));
          if (differenceMs <= maxClockDifferenceMs) return "agrees with the clock of the database";
          throw new Error(`differs from the clock of the database by ${Math.round(differenceMs / 1000)} s`);
        }),
    },
    {
      name: "Secrets",
      probe: () =>
        withApp(config, async (app, _migrations, ring) => {
          const opened = await proveKey(app.db, ring.active());
          const note = ring.retiring() ? "; a rotation is not finished: run `tocsin secrets rotate`" : "";
          return `the key opens the database's check value and ${opened} sealed values${note}`;
        }),
    },
  ];
}
