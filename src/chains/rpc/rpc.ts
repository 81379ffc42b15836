import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import type { Outbound } from "../../lib/outbound/outbound.ts";
import { type BatchResult, batch } from "./batch.ts";
import type { CallCounter } from "./call-counter.ts";
import type { ErrorClassifier } from "./classify-error.ts";
import { describeEndpoints } from "./describe-endpoints.ts";
import { type EndpointStats, makeEndpoint, type RequestEvent } from "./endpoint/endpoint.ts";
import type { RateController } from "./endpoint/rate-controller.ts";
import { runOnEach, runWithFailover } from "./endpoint-pool.ts";
import type { RpcCall } from "./replies.ts";
import type { RequestOptions, Session } from "./session.ts";
import type { ParseJson } from "./transport/post-json.ts";

/** JSON-RPC over several endpoints, with failover when one fails, lags or contradicts itself. */
export type Rpc = {
  /** Resolves with the result; rejects with RpcError when the request is at fault, with ChainError when all endpoints are. */
  request<Result>(method: string, params: unknown[], options?: RequestOptions & UseOptions): Promise<Result>;
  /** Like `request` for many calls: those that one endpoint leaves open are sent to the next. */
  batch(calls: readonly RpcCall[], options?: UseOptions): Promise<BatchResult[]>;
  /** Runs work with one endpoint, and again with the next whenever it rejects with an EndpointFailure. */
  use<Result>(work: (session: Session) => Promise<Result>, options?: UseOptions): Promise<Result>;
  /** Runs work once with every endpoint that is ready; returns the results of those that succeeded. */
  survey<Result>(work: (session: Session) => Promise<Result>): Promise<Result[]>;
  endpoints: number;
  /** The rate limits of the endpoints, for another `Rpc` on the same URLs. */
  rates: readonly RateController[];
  /** Sentences about endpoints that fail, limit or refuse, for the status of the chain. */
  problems(): string[];
  stats(): EndpointStats[];
  close(): void;
};

export type UseOptions = {
  /** The index of the endpoint to try first, unless it is failing. */
  prefer?: number | undefined;
  /** The deadline for the whole work, waits included. */
  totalMs?: number;
};

export type RpcOptions = {
  urls: readonly string[];
  outbound: Outbound;
  clock: Clock;
  log?: Log | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Counts every call. */
  counter?: CallCounter | undefined;
  /** For one HTTP request. */
  timeoutMs?: number | undefined;
  /** Of one reply. */
  maxBytes?: number | undefined;
  /** The default of `totalMs`; 20 seconds unless given. */
  deadlineMs?: number | undefined;
  classifyError: ErrorClassifier;
  /** Parses the replies over HTTP; `JSON.parse` unless given. */
  parseReply?: ParseJson | undefined;
  /** Runs before any work with an endpoint; rejects when the endpoint must not be used. */
  handshake?: ((session: Session) => Promise<void>) | undefined;
  /** Makes an `Rpc` for work that must never delay the one whose rate limits it shares. */
  auxiliaryTo?: Rpc | undefined;
};

export function makeRpc({ urls, clock, log, handshake, ...options }: RpcOptions): Rpc {
  const closing = new AbortController();
  const { signal } = closing;
  const { outbound, onRequest, classifyError, timeoutMs = 12_000, maxBytes = 64 * 1024 * 1024 } = options;
  const context = {
    ...{ outbound, clock, limits: { timeoutMs, maxBytes }, signal, onRequest, classifyError },
    counter: options.counter,
    parseReply: options.parseReply,
    isAuxiliary: options.auxiliaryTo !== undefined,
    rates: options.auxiliaryTo?.rates,
    isOnly: urls.length === 1,
  };
  const endpoints = urls.map((url, index) => makeEndpoint(url, index, context));
  const pool = { endpoints, clock, log, signal, handshake };
  const { deadlineMs = 20_000 } = options;
  const use: Rpc["use"] = (work, { prefer, totalMs = deadlineMs } = {}) =>
    runWithFailover(pool, work, { prefer, totalMs });
  return {
    use,
    survey: (work) => runOnEach(pool, work),
    endpoints: endpoints.length,
    rates: endpoints.map(({ rate }) => rate),
    request: (method, params, { mustExist = false, ...rest } = {}) =>
      use((session) => session.request(method, params, { mustExist }), rest),
    batch: (calls, rest) => batch(calls, (work) => use(work, rest)),
    problems: () => describeEndpoints(endpoints, context.isAuxiliary),
    stats: () => endpoints.map((endpoint) => endpoint.stats()),
    close: () => closing.abort(),
  };
}
