import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import { ChainError } from "../reader.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { EndpointFailure } from "./failure.ts";
import { chooseEndpoint, describeFailures, describeWithoutHosts } from "./rotation.ts";
import { openSession, type Session } from "./session.ts";

/** The endpoints of one chain. */
export type EndpointPool = {
  endpoints: readonly Endpoint[];
  clock: Clock;
  log?: Log | undefined;
  /** Aborts when the pool is closed. */
  signal: AbortSignal;
  /** Runs before any work with an endpoint; rejects when the endpoint must not be used. */
  handshake?: ((session: Session) => Promise<void>) | undefined;
};

type Work<Result> = (session: Session) => Promise<Result>;

/** Runs work with one endpoint, and again with the next whenever it rejects with an EndpointFailure. */
export async function runWithFailover<Result>(
  pool: EndpointPool,
  work: Work<Result>,
  { prefer, totalMs }: { prefer?: number | undefined; totalMs: number },
): Promise<Result> {
  const { endpoints, clock, signal } = pool;
  const startedMs = clock.now().getTime();
  const remainingMs = () => totalMs - Math.abs(clock.now().getTime() - startedMs);
  const maxAttempts = Math.max(6, 3 * endpoints.length);
  const attempts = new Map<Endpoint, number>();
  const failures = new Map<string, EndpointFailure>();
  for (let attempt = 0; attempt < maxAttempts && remainingMs() > 0; attempt++) {
    const endpoint = chooseEndpoint(endpoints, attempts, prefer);
    const waitMs = endpoint?.readyInMs() ?? 0;
    if (!endpoint || signal.aborted || waitMs > remainingMs()) break;
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    try {
      return await runOn(pool, endpoint, remainingMs, work);
    } catch (error) {
      const failure = recordFailure(pool, endpoint, error);
      // What took the time explains more than that it ran out.
      if (failure.kind !== "deadline" || !failures.has(endpoint.host)) failures.set(endpoint.host, failure);
      attempts.set(endpoint, (attempts.get(endpoint) ?? 0) + 1);
    }
  }
  // Endpoints that are still cooling down were not tried again.
  for (const { host, health } of endpoints) {
    const earlier = health.lastFailure();
    if (earlier && !failures.has(host)) failures.set(host, earlier);
  }
  const isPruned = failures.size > 0 && [...failures.values()].every(({ kind }) => kind === "pruned");
  throw new ChainError(
    describeFailures(endpoints, failures),
    isPruned ? "pruned" : "unreadable",
    describeWithoutHosts(endpoints, failures),
  );
}

const surveyDeadlineMs = 2000;

/** Runs work once with every endpoint that is ready. Returns the results of those that succeeded. */
export async function runOnEach<Result>(pool: EndpointPool, work: Work<Result>): Promise<Result[]> {
  const ready = pool.endpoints.filter((endpoint) => endpoint.readyInMs() === 0);
  const results = await Promise.all(
    ready.map(async (endpoint) => {
      try {
        return [await runOn(pool, endpoint, () => surveyDeadlineMs, work)];
      } catch (error) {
        recordFailure(pool, endpoint, error);
        return [];
      }
    }),
  );
  return results.flat();
}

async function runOn<Result>(
  { handshake }: EndpointPool,
  endpoint: Endpoint,
  deadlineMs: () => number,
  work: Work<Result>,
): Promise<Result> {
  const session = openSession(endpoint, deadlineMs);
  await handshake?.(session);
  return work(session);
}

function recordFailure({ log }: EndpointPool, endpoint: Endpoint, error: unknown): EndpointFailure {
  if (!(error instanceof EndpointFailure)) throw error;
  endpoint.health.recordFailure(error);
  log?.debug({ host: endpoint.host, kind: error.kind }, error.message);
  return error;
}
