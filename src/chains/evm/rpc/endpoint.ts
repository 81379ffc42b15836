import type { Clock } from "../../../lib/clock.ts";
import type { Outbound } from "../../../lib/outbound.ts";
import { type Answer, type Call, matchAnswers, wholeError } from "./answers.ts";
import { makeBatchSize } from "./batch-size.ts";
import { exchange, type Limits, readAddress } from "./exchange.ts";
import { EndpointFailure } from "./failure.ts";
import { type Health, makeHealth } from "./health.ts";
import { inParallel } from "./in-parallel.ts";
import { judgeError } from "./judge.ts";
import { makeRate } from "./rate.ts";

/** One node behind one URL: what it can do, how it fares and how often it may be asked. */
export type Endpoint = {
  index: number;
  /** The only part of its URL that may be shown. */
  host: string;
  health: Health;
  /** Asks many things; each gets its answer or its failure. Waits for its turn, but never beyond `patienceMs`. */
  ask(calls: readonly Call[], patienceMs: number): Promise<Answer[]>;
  /** How long until it may be asked again. */
  readyInMs(): number;
  /** What it turned out not to offer, some minutes long. */
  lacks(feature: string): boolean;
  noteLack(feature: string): void;
  /** Numbers that a caller found out about this endpoint. */
  memory: Map<string, number>;
  stats(): EndpointStats;
};

export type EndpointStats = {
  host: string;
  requests: number;
  calls: number;
  failures: number;
  score: number;
  cooling_ms: number;
  calls_per_second: number | null;
};

export type EndpointContext = {
  outbound: Outbound;
  clock: Clock;
  limits: Limits;
  signal: AbortSignal;
  /** Told of every request that goes out and how it ended. */
  onRequest?: ((event: { host: string; method: string; calls: number; outcome: string }) => void) | undefined;
};

const lackMs = 10 * 60_000;
const requestsAtOnce = 4;

export function makeEndpoint(url: string, index: number, context: EndpointContext): Endpoint {
  const { clock, outbound, limits, signal, onRequest } = context;
  const address = readAddress(url);
  const health = makeHealth(clock);
  const rate = makeRate(clock);
  const batches = makeBatchSize(clock);
  const lacking = new Map<string, number>();
  const counts = { requests: 0, calls: 0, failures: 0 };
  let nextId = 1;
  let hasBatched = false;

  const noteLack = (feature: string) => lacking.set(feature, clock.now().getTime());
  const lacks = (feature: string) => {
    const since = lacking.get(feature);
    return since !== undefined && Math.abs(clock.now().getTime() - since) < lackMs;
  };

  async function waitForTurn(calls: number, patienceMs: number): Promise<void> {
    const pause = rate.pauseMs();
    if (pause > patienceMs) throw new EndpointFailure("limited", "asks to slow down", pause);
    const waitMs = rate.take(calls);
    if (waitMs > 0) await clock.sleep(Math.min(waitMs, patienceMs), signal);
    if (signal.aborted) throw new EndpointFailure("down", "is no longer used");
  }

  /** One HTTP request. Rejects when it brought nothing at all. */
  async function post(calls: readonly Call[], patienceMs: number): Promise<Answer[]> {
    await waitForTurn(calls.length, patienceMs);
    const firstId = nextId;
    nextId += calls.length;
    counts.requests += 1;
    counts.calls += calls.length;
    const payload = calls.map(({ method, params }, at) => ({
      jsonrpc: "2.0",
      id: firstId + at,
      method,
      params,
    }));
    const sent = payload.length === 1 ? payload[0] : payload;
    const { reply, bytes } = await exchange(outbound, address, sent, { ...limits, signal });
    if (calls.length > 1) refuseWhole(reply, calls);
    batches.weigh(calls, bytes);
    return matchAnswers(calls, firstId, reply);
  }

  function note(calls: readonly Call[], answers: Answer[]): Answer[] {
    let worst = "ok";
    for (const [at, answer] of answers.entries()) {
      if (!("failure" in answer) || !(answer.failure instanceof EndpointFailure)) continue;
      worst = answer.failure.kind;
      if (worst === "unsupported") noteLack(calls[at]?.method ?? "");
      if (worst === "limited") rate.complain(answer.failure.retryAfterMs);
    }
    if (worst === "malformed" && calls.length > 1) batches.shrink(calls.length);
    if (worst === "ok") {
      hasBatched ||= calls.length > 1;
      health.good();
      rate.praise(calls.length);
    } else counts.failures += 1;
    onRequest?.({ host: address.host, method: calls[0]?.method ?? "", calls: calls.length, outcome: worst });
    return answers;
  }

  /** Sends a batch, in smaller ones where the endpoint shows that it takes no more. */
  async function send(calls: readonly Call[], patienceMs: number): Promise<Answer[]> {
    const outcome = await post(calls, patienceMs).catch((failure: unknown) => failure);
    if (Array.isArray(outcome)) return note(calls, outcome);
    if (!(outcome instanceof EndpointFailure)) throw outcome;
    if (calls.length === 1 || !isAboutSize(outcome, hasBatched)) {
      return note(
        calls,
        calls.map(() => ({ failure: outcome })),
      );
    }
    const size = batches.shrink(calls.length);
    const answers: Answer[] = [];
    for (let at = 0; at < calls.length; at += size) {
      const part = calls.slice(at, at + size);
      // After a part that failed as a whole there is no point in trying the others.
      const lost =
        answers.length > 0 && answers.every((answer) => "failure" in answer) ? answers[0] : undefined;
      answers.push(...(lost ? part.map(() => lost) : await send(part, patienceMs)));
    }
    return answers;
  }

  return {
    index,
    host: address.host,
    health,
    memory: new Map(),
    lacks,
    noteLack,
    readyInMs: () => Math.max(rate.pauseMs(), health.coolingMs()),
    async ask(calls, patienceMs) {
      const wanted = calls.filter(({ method }) => !lacks(method));
      const answered = await inParallel(requestsAtOnce, batches.split(wanted), (part) =>
        send(part, patienceMs),
      );
      const answers = answered.flat();
      let next = 0;
      return calls.map(({ method }) => {
        if (!lacks(method) || wanted.length === calls.length) return answers[next++] ?? lost(method);
        return wanted.some((call) => call.method === method)
          ? (answers[next++] ?? lost(method))
          : lost(method);
      });
    },
    stats: () => ({
      host: address.host,
      ...counts,
      score: health.score(),
      cooling_ms: Math.max(rate.pauseMs(), health.coolingMs()),
      calls_per_second: Number.isFinite(rate.perSecond()) ? rate.perSecond() : null,
    }),
  };
}

function lost(method: string): Answer {
  return { failure: new EndpointFailure("unsupported", `does not offer ${method}`) };
}

/** A single error in reply to a batch speaks of all of it. */
function refuseWhole(reply: unknown, calls: readonly Call[]): void {
  const error = wholeError(reply);
  if (Array.isArray(reply)) return;
  const judged = error === undefined ? undefined : judgeError(calls[0]?.method ?? "", error);
  if (judged instanceof EndpointFailure && (judged.kind === "limited" || judged.kind === "down"))
    throw judged;
  throw new EndpointFailure("too_large", "takes no batch of this size");
}

function isAboutSize({ kind }: EndpointFailure, hasBatched: boolean): boolean {
  return kind === "too_large" || (kind === "malformed" && !hasBatched);
}
