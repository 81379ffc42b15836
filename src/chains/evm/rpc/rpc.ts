import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Outbound } from "../../../lib/outbound.ts";
import { ChainError } from "../../reader.ts";
import type { Call } from "./answers.ts";
import { type Endpoint, type EndpointStats, makeEndpoint, type RequestEvent } from "./endpoint.ts";
import { EndpointFailure, RpcError } from "./failure.ts";
import { openSession, type RequestOptions, type Session } from "./session.ts";

/** JSON-RPC over several endpoints: asks another when one fails, lags or contradicts itself. */
export type Rpc = {
  /** Resolves with the result; rejects with RpcError when the request is at fault, with ChainError when all endpoints are. */
  request<Result>(method: string, params: unknown[], options?: RequestOptions & UseOptions): Promise<Result>;
  /** Like `request` for many calls: what one endpoint leaves open is asked of the next. */
  batch(calls: readonly Call[], options?: UseOptions): Promise<BatchResult[]>;
  /** Does work with one endpoint, and again with the next whenever it rejects with an EndpointFailure. */
  use<Result>(work: (session: Session) => Promise<Result>, options?: UseOptions): Promise<Result>;
  endpoints: number;
  stats(): EndpointStats[];
  close(): void;
};

export type BatchResult = { ok: true; result: unknown } | { ok: false; error: RpcError };

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
};

export function makeRpc({ urls, clock, log, ...options }: RpcOptions): Rpc {
  const closing = new AbortController();
  const { signal } = closing;
  const { outbound, onRequest, timeoutMs = 12_000, maxBytes = 64 * 1024 * 1024 } = options;
  const context = { outbound, clock, limits: { timeoutMs, maxBytes }, signal, onRequest };
  const endpoints = urls.map((url, index) => makeEndpoint(url, index, context));
  const mostAttempts = Math.max(6, 3 * endpoints.length);

  async function use<Result>(
    work: (session: Session) => Promise<Result>,
    { prefer, totalMs = 20_000 }: UseOptions = {},
  ): Promise<Result> {
    const startedMs = clock.now().getTime();
    const leftMs = () => totalMs - Math.abs(clock.now().getTime() - startedMs);
    const tries = new Map<Endpoint, number>();
    const faults = new Map<string, string>();
    for (let attempt = 0; attempt < mostAttempts && leftMs() > 0; attempt++) {
      const endpoint = choose(endpoints, tries, prefer);
      const waitMs = endpoint?.readyInMs() ?? 0;
      if (!endpoint || signal.aborted || waitMs > leftMs()) break;
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      try {
        return await work(openSession(endpoint, leftMs));
      } catch (error) {
        if (!(error instanceof EndpointFailure)) throw error;
        tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1);
        endpoint.health.bad(error);
        faults.set(endpoint.host, error.message);
        log?.debug({ host: endpoint.host, kind: error.kind }, error.message);
      }
    }
    throw new ChainError(describe(endpoints, faults));
  }

  return {
    use,
    endpoints: endpoints.length,
    request: (method, params, { mustExist = false, ...rest } = {}) =>
      use((session) => session.request(method, params, { mustExist }), rest),
    batch: (calls, rest) => batch(calls, (work) => use(work, rest)),
    stats: () => endpoints.map((endpoint) => endpoint.stats()),
    close: () => closing.abort(),
  };
}

/** Whom to ask next: one not tried yet and not resting, then the one with the fewest faults, then the operator's order. */
function choose(
  endpoints: readonly Endpoint[],
  tries: Map<Endpoint, number>,
  prefer: number | undefined,
): Endpoint | undefined {
  const rank = (endpoint: Endpoint) => {
    const waitMs = endpoint.readyInMs();
    const isPreferred = endpoint.index === prefer && waitMs === 0;
    return [
      waitMs,
      tries.get(endpoint) ?? 0,
      isPreferred ? -1 : Math.floor(endpoint.health.score()),
      endpoint.index,
    ];
  };
  const ranked = endpoints.map((endpoint) => ({ endpoint, rank: rank(endpoint) }));
  return ranked.toSorted((a, b) => compare(a.rank, b.rank))[0]?.endpoint;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

async function batch(calls: readonly Call[], use: Rpc["use"]): Promise<BatchResult[]> {
  const results: BatchResult[] = new Array(calls.length);
  const open = new Set(calls.keys());
  await use(async (session) => {
    const places = [...open];
    const answers = await session.batch(places.map((at) => calls[at] as Call));
    let failure: EndpointFailure | undefined;
    for (const [order, answer] of answers.entries()) {
      const at = places[order] as number;
      if ("result" in answer) results[at] = { ok: true, result: answer.result };
      else if (answer.failure instanceof RpcError) results[at] = { ok: false, error: answer.failure };
      else {
        failure = answer.failure;
        continue;
      }
      open.delete(at);
    }
    if (failure) throw failure;
  });
  return results;
}

/** Hosts and faults only: paths and queries of RPC URLs hold keys. */
function describe(endpoints: readonly Endpoint[], faults: Map<string, string>): string {
  if (endpoints.length === 0) return "There is no endpoint to read this chain from.";
  if (faults.size === 0) return "Every endpoint of this chain is resting after a failure.";
  const list = [...faults].map(([host, fault]) => `${host} ${fault}`);
  return `The chain could not be read: ${list.join("; ")}.`;
}
