import { readAddress } from "./exchange.ts";
import { EndpointFailure } from "./failure.ts";
import { type Health, makeHealth } from "./health.ts";
import { inParallel } from "./in-parallel.ts";
import { makeRateController } from "./rate.ts";
import type { RpcCall, RpcReply } from "./replies.ts";
import { Sender, type SenderContext } from "./sender.ts";
import { makeUnsupportedMethods, type UnsupportedMethods } from "./unsupported-methods.ts";

/** One node behind one URL: what it can do, how it fares and how often it may be asked. */
export type Endpoint = {
  index: number;
  /** The only part of its URL that may be shown. */
  host: string;
  health: Health;
  lacks: UnsupportedMethods;
  /** Numbers that a caller found out about this endpoint. */
  memory: Map<string, number>;
  /** Asks many things; each gets its answer or its failure. Waits for its turn, but not beyond `patienceMs`. */
  ask(calls: readonly RpcCall[], deadlineMs: number): Promise<RpcReply[]>;
  /** How long until it may be asked again. */
  readyInMs(): number;
  stats(): EndpointStats;
};

export type EndpointStats = {
  host: string;
  requests: number;
  calls: number;
  failures: number;
  score: number;
  cooling_ms: number;
  /** Null while it never complained. */
  calls_per_second: number | null;
};

/** A request that came back, and the worst in it. */
export type RequestEvent = { host: string; method: string; calls: number; outcome: string };

export type EndpointContext = SenderContext & { onRequest?: ((event: RequestEvent) => void) | undefined };

const requestsAtOnce = 4;

export function makeEndpoint(url: string, index: number, context: EndpointContext): Endpoint {
  const { clock, onRequest } = context;
  const address = readAddress(url);
  const { host } = address;
  const health = makeHealth(clock);
  const lacks = makeUnsupportedMethods(clock);
  const rate = makeRateController(clock);
  const sender = new Sender(address, rate, context);
  const counts = { requests: 0, calls: 0, failures: 0 };
  const readyInMs = () => Math.max(rate.pauseMs(), health.coolingMs());

  async function send(calls: RpcCall[], deadlineMs: number): Promise<RpcReply[]> {
    const answers = await sender.send(calls, deadlineMs);
    const outcome = learn(calls, answers);
    counts.requests += 1;
    counts.calls += calls.length;
    counts.failures += outcome === "ok" ? 0 : 1;
    onRequest?.({ host, method: calls[0]?.method ?? "", calls: calls.length, outcome });
    return answers;
  }

  /** Remembers what answers tell about the endpoint; the worst of them. */
  function learn(calls: RpcCall[], answers: RpcReply[]): string {
    let worst = "ok";
    for (const [at, answer] of answers.entries()) {
      if (!("failure" in answer) || !(answer.failure instanceof EndpointFailure)) continue;
      worst = answer.failure.kind;
      if (worst === "unsupported") lacks.add(calls[at]?.method ?? "");
      if (worst === "limited") rate.onRateLimited(answer.failure.retryAfterMs);
    }
    if (worst === "malformed" && calls.length > 1) sender.batches.shrink(calls.length);
    if (worst === "ok") {
      health.recordSuccess();
      rate.onSuccess(calls.length);
    }
    return worst;
  }

  return {
    index,
    host,
    health,
    lacks,
    memory: new Map(),
    readyInMs,
    async ask(calls, deadlineMs) {
      const places = [...calls.keys()].filter((at) => !lacks.has(calls[at]?.method ?? ""));
      const open = places.map((at) => calls[at] as RpcCall);
      const batches = sender.batches.split(open, rate.perSecond());
      const given = await inParallel(requestsAtOnce, batches, (batch) => send(batch, deadlineMs));
      const byPlace = new Map(given.flat().map((answer, order) => [places[order], answer]));
      return calls.map(({ method }, at) => byPlace.get(at) ?? notOffered(method));
    },
    stats: () => ({
      host,
      ...counts,
      score: health.score(),
      cooling_ms: readyInMs(),
      calls_per_second: Number.isFinite(rate.perSecond()) ? rate.perSecond() : null,
    }),
  };
}

function notOffered(method: string): RpcReply {
  return { failure: new EndpointFailure("unsupported", `does not offer ${method}`) };
}
