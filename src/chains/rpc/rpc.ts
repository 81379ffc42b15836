import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Outbound } from "../../lib/outbound/outbound.ts";
import { ChainError } from "../reader.ts";
import type { Call, ErrorClassifier } from "./answers.ts";
import { type BatchResult, batch } from "./batch.ts";
import { type Endpoint, type EndpointStats, makeEndpoint, type RequestEvent } from "./endpoint.ts";
import { EndpointFailure } from "./failure.ts";
import { chooseEndpoint, describeFailures } from "./rotation.ts";
import { openSession, type RequestOptions, type Session } from "./session.ts";

/** JSON-RPC over several endpoints: asks another when one fails, lags or contradicts itself. */
export type Rpc = {
  /** Resolves with the result; rejects with RpcError when the request is at fault, with ChainError when all endpoints are. */
  request<Result>(method: string, params: unknown[], options?: RequestOptions & UseOptions): Promise<Result>;
  /** Like `request` for many calls: what one endpoint leaves open is asked of the next. */
  batch(calls: readonly Call[], options?: UseOptions): Promise<BatchResult[]>;
  /** Does work with one endpoint, and again with the next whenever it rejects with an EndpointFailure. */
  use<Result>(work: (session: Session) => Promise<Result>, options?: UseOptions): Promise<Result>;
  /** Does work once with every endpoint that is not resting; gives what came of it where it went well. */
  survey<Result>(work: (session: Session) => Promise<Result>): Promise<Result[]>;
  endpoints: number;
  stats(): EndpointStats[];
  close(): void;
};

export type UseOptions = {
  /** The endpoint to begin with, unless it is in trouble. */
  prefer?: number | undefined;
  /** For everything, waits included. */
  totalMs?: number;
};

export type RpcOptions = {
  urls: readonly string[];
  outbound: Outbound;
  clock: Clock;
  log?: Log | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** For one HTTP request. */
  timeoutMs?: number | undefined;
  /** Of one answer. */
  maxBytes?: number | undefined;
  /** For a piece of work where it does not say itself, waits included; 20 seconds unless told. */
  deadlineMs?: number | undefined;
  /** How errors are judged; as EVM nodes mean them unless told. */
  classifyError?: ErrorClassifier | undefined;
  /** Comes before all work with an endpoint; rejects when it is not to be used. */
  handshake?: ((session: Session) => Promise<void>) | undefined;
};

const surveyDeadlineMs = 2000;

export function makeRpc({ urls, clock, log, ...options }: RpcOptions): Rpc {
  const closing = new AbortController();
  const { signal } = closing;
  const { outbound, onRequest, timeoutMs = 12_000, maxBytes = 64 * 1024 * 1024 } = options;
  const { deadlineMs = 20_000, classifyError, handshake } = options;
  const context = { outbound, clock, limits: { timeoutMs, maxBytes }, signal, onRequest, classifyError };
  const endpoints = urls.map((url, index) => makeEndpoint(url, index, context));
  const maxAttempts = Math.max(6, 3 * endpoints.length);

  async function use<Result>(
    work: (session: Session) => Promise<Result>,
    { prefer, totalMs = deadlineMs }: UseOptions = {},
  ): Promise<Result> {
    const startedMs = clock.now().getTime();
    const leftMs = () => totalMs - Math.abs(clock.now().getTime() - startedMs);
    const tries = new Map<Endpoint, number>();
    const faults = new Map<string, string>();
    for (let attempt = 0; attempt < maxAttempts && leftMs() > 0; attempt++) {
      const endpoint = chooseEndpoint(endpoints, tries, prefer);
      const waitMs = endpoint?.readyInMs() ?? 0;
      if (!endpoint || signal.aborted || waitMs > leftMs()) break;
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      try {
        return await begin(endpoint, leftMs, work);
      } catch (error) {
        faults.set(endpoint.host, noteFailure(endpoint, error).message);
        tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1);
      }
    }
    throw new ChainError(describeFailures(endpoints, faults));
  }

  async function begin<Result>(
    endpoint: Endpoint,
    deadlineMs: () => number,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const session = openSession(endpoint, deadlineMs);
    await handshake?.(session);
    return work(session);
  }

  async function survey<Result>(work: (session: Session) => Promise<Result>): Promise<Result[]> {
    const ready = endpoints.filter((endpoint) => endpoint.readyInMs() === 0);
    const found = await Promise.all(
      ready.map(async (endpoint) => {
        try {
          return [await begin(endpoint, () => surveyDeadlineMs, work)];
        } catch (error) {
          noteFailure(endpoint, error);
          return [];
        }
      }),
    );
    return found.flat();
  }

  function noteFailure(endpoint: Endpoint, error: unknown): EndpointFailure {
    if (!(error instanceof EndpointFailure)) throw error;
    endpoint.health.bad(error);
    log?.debug({ host: endpoint.host, kind: error.kind }, error.message);
    return error;
  }

  return {
    use,
    survey,
    endpoints: endpoints.length,
    request: (method, params, { mustExist = false, ...rest } = {}) =>
      use((session) => session.request(method, params, { mustExist }), rest),
    batch: (calls, rest) => batch(calls, (work) => use(work, rest)),
    stats: () => endpoints.map((endpoint) => endpoint.stats()),
    close: () => closing.abort(),
  };
}
