import type { CallCounter } from "../call-counter.ts";
import { EndpointFailure, QuotaUsedUp } from "../failure.ts";
import { inParallel } from "../in-parallel.ts";
import type { RpcCall, RpcReply } from "../replies.ts";
import { parseEndpointUrl } from "../transport/post-json.ts";
import { type Health, makeHealth } from "./health.ts";
import { makeRateController, type RateController } from "./rate-controller.ts";
import { Sender, type SenderContext } from "./sender.ts";
import { ServedMethods, unsupportedReply } from "./served-methods.ts";
import { makeUnsupportedMethods, type UnsupportedMethods } from "./unsupported-methods.ts";

/** One RPC URL of a chain, with its health, its rate limit and the methods that it does not support. */
export type Endpoint = {
  index: number;
  /** The only part of its URL that may be shown; the rest may contain keys. */
  host: string;
  health: Health;
  unsupported: UnsupportedMethods;
  /** Values that callers learned about this endpoint. */
  memory: Map<string, number>;
  rate: RateController;
  /** Sends calls and returns a result or a failure for each. Waits for the rate limit, at most until the deadline. */
  call(calls: readonly RpcCall[], deadlineMs: number): Promise<RpcReply[]>;
  /** The time until it may be used again. */
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
  /** Null until the endpoint reports a rate limit. */
  calls_per_second: number | null;
};

/** A completed request and its worst outcome. */
export type RequestEvent = { host: string; method: string; calls: number; outcome: string };

export type EndpointContext = SenderContext & {
  onRequest?: ((event: RequestEvent) => void) | undefined;
  counter?: CallCounter | undefined;
  /** The rate limits to share with other users of the same URLs, by index. */
  rates?: readonly RateController[] | undefined;
  /** True if there is no other endpoint to turn to. */
  isOnly?: boolean | undefined;
};

const maxParallelRequests = 4;
/** A task of several requests would never end if it began again whenever one of them is limited. */
const maxRepeats = 2;

export function makeEndpoint(url: string, index: number, context: EndpointContext): Endpoint {
  const { clock, onRequest } = context;
  const address = parseEndpointUrl(url);
  const { host } = address;
  const health = makeHealth(clock);
  const unsupported = makeUnsupportedMethods(clock);
  const rate = context.rates?.[index] ?? makeRateController(clock);
  const onCall = (method: string) => context.counter?.count({ endpoint: index + 1, host }, method);
  const sender = new Sender(address, rate, { ...context, onCall });
  const served = new ServedMethods();
  const counts = { requests: 0, calls: 0, failures: 0 };
  const readyInMs = () => Math.max(rate.pauseMs(), health.cooldownMs());

  async function send(calls: RpcCall[], deadlineMs: number): Promise<RpcReply[]> {
    const startedMs = clock.now().getTime();
    const replies = served.explain(calls, await sender.send(calls, deadlineMs));
    const outcome = recordOutcome(calls, replies);
    const method = calls[0]?.method ?? "";
    const seconds = Math.max(0, clock.now().getTime() - startedMs) / 1000;
    context.counter?.observe({ host, method, seconds, outcome });
    counts.requests += 1;
    counts.calls += calls.length;
    counts.failures += outcome === "ok" ? 0 : 1;
    onRequest?.({ host, method, calls: calls.length, outcome });
    return replies;
  }

  /** Updates health, rate and unsupported methods from the replies. Returns the worst outcome. */
  function recordOutcome(calls: RpcCall[], replies: RpcReply[]): string {
    let worst = "ok";
    for (const [index, reply] of replies.entries()) {
      if (!("failure" in reply) || !(reply.failure instanceof EndpointFailure)) continue;
      worst = reply.failure.kind;
      if (worst === "unsupported") unsupported.add(calls[index]?.method ?? "");
      if (worst === "limited")
        rate.onRateLimited(reply.failure.retryAfterMs, reply.failure instanceof QuotaUsedUp);
    }
    if (worst === "malformed" && calls.length > 1) sender.batches.shrink(calls.length);
    if (worst === "ok") {
      health.recordSuccess();
      rate.onSuccess(calls.length);
    }
    return worst;
  }

  async function callOnce(calls: readonly RpcCall[], deadlineMs: number): Promise<RpcReply[]> {
    const indexes = [...calls.keys()].filter((index) => !unsupported.has(calls[index]?.method ?? ""));
    const open = indexes.map((index) => calls[index] as RpcCall);
    const batches = sender.batches.split(open, rate.perSecond());
    const received = await inParallel(maxParallelRequests, batches, (batch) => send(batch, deadlineMs));
    const byIndex = new Map(received.flat().map((reply, order) => [indexes[order], reply]));
    return calls.map(({ method }, index) => byIndex.get(index) ?? unsupportedReply(method));
  }

  return {
    index,
    host,
    health,
    unsupported,
    memory: new Map(),
    rate,
    readyInMs,
    async call(calls, deadlineMs) {
      const startedMs = clock.now().getTime();
      const replies = await callOnce(calls, deadlineMs);
      for (let repeat = 0; repeat < maxRepeats && context.isOnly; repeat++) {
        const limited = [...replies.keys()].filter((index) => isLimited(replies[index]));
        const remainingMs = deadlineMs - Math.abs(clock.now().getTime() - startedMs);
        if (limited.length === 0 || remainingMs <= rate.pauseMs()) break;
        const repeated = await callOnce(
          limited.map((index) => calls[index] as RpcCall),
          remainingMs,
        );
        for (const [order, index] of limited.entries()) replies[index] = repeated[order] as RpcReply;
      }
      return replies;
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

function isLimited(reply: RpcReply | undefined): boolean {
  return (
    reply !== undefined &&
    "failure" in reply &&
    reply.failure instanceof EndpointFailure &&
    reply.failure.kind === "limited"
  );
}
