import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { composeApp } from "../src/app.ts";
import { parseConfig } from "../src/config.ts";
import { makeServer } from "../src/http/server.ts";
import { medianOf } from "../src/lib/anomaly/median.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { makeLog } from "../src/lib/log/log.ts";
import { makeAddressPolicy } from "../src/lib/outbound/address-policy.ts";
import { makeOutbound } from "../src/lib/outbound/outbound.ts";
import { startPostgres } from "../src/lib/postgres/start.ts";
import { systemRandom } from "../src/lib/random.ts";
import { makeVault } from "../src/lib/secrets/vault.ts";
import { migrate } from "../src/store/migrate.ts";
import { openStore } from "../src/store/open-store.ts";

// Tests whether response times reveal the existence of an account. Run: node bench/timing.ts [samples]. Beyond 4.5,
// the threshold of dudect, Welch's t indicates different means.
const threshold = 4.5;
const samples = Number(process.argv[2] ?? 300);
const knownEmail = "known.person@example.com";
const unknown = "other.person@example.com";
const password = "correct horse battery staple";

const { server, advance, stop } = await start();
try {
  await post(server, "/auth/signup", { email: knownEmail, password });
  await compare("log-in", (email) => post(server, "/auth/login", { email, password: "not the right one" }));
  await compare("forgotten password", (email) => post(server, "/auth/forgot-password", { email }));
} finally {
  await stop();
}

/** Times an action for both addresses alternately, so that other load affects both. */
async function compare(what: string, act: (email: string) => Promise<number>): Promise<void> {
  const times: Record<string, number[]> = { [knownEmail]: [], [unknown]: [] };
  for (let round = -20; round < samples; round++) {
    const order = systemRandom.bytes(1).readUInt8(0) % 2 ? [knownEmail, unknown] : [unknown, knownEmail];
    for (const email of order) {
      // Beyond every throttle window, so that each request does its full work.
      advance(3_700);
      const started = performance.now();
      await act(email);
      if (round >= 0) times[email]?.push(performance.now() - started);
    }
  }
  report(what, times[knownEmail] ?? [], times[unknown] ?? []);
}

function report(what: string, first: number[], second: number[]): void {
  const t = welch(first, second);
  const figures = `known ${medianOf(first).toFixed(2)} ms, unknown ${medianOf(second).toFixed(2)} ms (medians of ${first.length})`;
  const verdict = Math.abs(t) < threshold ? "no difference shown" : "THE TIMES DIFFER";
  console.log(`${what}: ${figures}, Welch's t = ${t.toFixed(2)}: ${verdict}`);
  if (Math.abs(t) >= threshold) process.exitCode = 1;
}

/** Welch's t of two samples without their slowest tenth, which is noise. */
function welch(first: number[], second: number[]): number {
  const [a, b] = [moments(first), moments(second)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function moments(times: number[]): { mean: number; variance: number; count: number } {
  const kept = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.9));
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length;
  const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, count: kept.length };
}

async function post(to: FastifyInstance, path: string, payload: object): Promise<number> {
  const { statusCode } = await to.inject({ method: "POST", url: `/api/v1${path}`, payload });
  if (statusCode !== 200 && statusCode !== 401) throw new Error(`${path} answered ${statusCode}`);
  return statusCode;
}

/** The service on a temporary database, with an adjustable clock. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-timing-"));
  const postgres = await startPostgres({ folder: join(folder, "postgres"), log: () => undefined });
  const { host, port, user } = postgres;
  const log = makeLog("silent");
  const config = parseConfig({ DATA_DIR: folder });
  const { db, pool, close } = openStore({ host, port, user, database: "postgres" }, log, { isPatient: true });
  await migrate(db);
  let offsetMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) };
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: [] }) });
  const app = composeApp({
    config,
    clock,
    log,
    db,
    pool,
    outbound,
    vault: makeVault(systemRandom.bytes(32), systemRandom),
    mailer: { kind: "folder", send: async () => undefined, close: async () => undefined },
  });
  const server = await makeServer(app);
  const stop = async () => {
    await server.close();
    outbound.close();
    await close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const advance = (seconds: number) => {
    offsetMs += seconds * 1000;
  };
  return { server, advance, stop };
}
