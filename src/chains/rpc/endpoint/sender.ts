import type { Clock } from "../../../lib/clock.ts";
import type { Outbound } from "../../../lib/outbound/outbound.ts";
import { type BatchSize, makeBatchSize } from "../batch-size.ts";
import type { ErrorClassifier } from "../classify-error.ts";
import { isWebSocketUrl } from "../endpoint-urls.ts";
import { EndpointFailure, QuotaUsedUp } from "../failure.ts";
import { batchError, matchReplies, type RpcCall, type RpcReply } from "../replies.ts";
import { type EndpointAddress, type Limits, type ParseJson, postJson } from "../transport/post-json.ts";
import { RpcSocket } from "../transport/rpc-socket.ts";
import type { RateController } from "./rate-controller.ts";

export type SenderContext = {
  outbound: Outbound;
  clock: Clock;
  limits: Limits;
  /** Aborts when the endpoint is closed. */
  signal: AbortSignal;
  classifyError: ErrorClassifier;
  parseReply?: ParseJson | undefined;
  /** Called for each call of each request, also when it fails. */
  onCall?: ((method: string) => void) | undefined;
  /** Sends only what the rate limit leaves over, for work that blocks must not wait for. */
  isAuxiliary?: boolean | undefined;
};

/** Sends batches of calls to one URL, within its rate limit and the batch size that it accepts. */
export class Sender {
  readonly batches: BatchSize;
  private readonly address: EndpointAddress;
  private readonly socket: RpcSocket | undefined;
  private readonly rate: RateController;
  private readonly context: SenderContext;
  private nextId = 1;
  private acceptsBatches = false;

  constructor(address: EndpointAddress, rate: RateController, context: SenderContext) {
    this.address = address;
    this.socket = isWebSocketUrl(address.url) ? new RpcSocket(address, context.signal) : undefined;
    this.rate = rate;
    this.context = context;
    this.batches = makeBatchSize(context.clock);
  }

  /** Sends a batch, and again in smaller parts when the endpoint rejects its size. */
  async send(calls: readonly RpcCall[], deadlineMs: number): Promise<RpcReply[]> {
    const outcome = await this.post(calls, deadlineMs).catch(asFailure);
    if (Array.isArray(outcome)) {
      this.acceptsBatches ||= calls.length > 1;
      return outcome;
    }
    if (calls.length === 1 || !this.isSizeProblem(outcome)) return calls.map(() => ({ failure: outcome }));
    return this.sendParts(calls, this.batches.shrink(calls.length), deadlineMs);
  }

  private async sendParts(calls: readonly RpcCall[], size: number, deadlineMs: number): Promise<RpcReply[]> {
    const replies: RpcReply[] = [];
    for (let index = 0; index < calls.length; index += size) {
      const part = calls.slice(index, index + size);
      const [first] = replies;
      // When all previous parts failed as a whole, the others would fail too.
      const hasFailed = first && replies.every(concernsWholeRequest);
      replies.push(...(hasFailed ? part.map(() => first) : await this.send(part, deadlineMs)));
    }
    return replies;
  }

  /** Sends one request; rejects when it has no usable reply. */
  private async post(calls: readonly RpcCall[], deadlineMs: number): Promise<RpcReply[]> {
    await this.waitForTurn(calls.length, deadlineMs);
    const { outbound, limits, signal, classifyError, parseReply } = this.context;
    const firstId = this.nextId;
    this.nextId += calls.length;
    const payload = calls.map(({ method, params }, index) => ({
      jsonrpc: "2.0",
      id: firstId + index,
      method,
      params,
    }));
    const [only] = payload;
    const sent = only && payload.length === 1 ? only : payload;
    for (const { method } of calls) this.context.onCall?.(method);
    const { reply, bytes } = this.socket
      ? await this.socket.exchange(sent, limits)
      : await postJson(outbound, this.address, sent, { ...limits, signal, parseReply });
    if (calls.length > 1) rejectUnbatchedReply(reply, calls, classifyError);
    this.batches.recordReplySize(calls, bytes);
    return matchReplies(calls, firstId, reply, classifyError);
  }

  private async waitForTurn(calls: number, deadlineMs: number): Promise<void> {
    const { clock, signal, isAuxiliary } = this.context;
    if (deadlineMs <= 0) throw new EndpointFailure("deadline", "could not be asked before the deadline");
    const pauseMs = this.rate.pauseMs();
    if (pauseMs > deadlineMs)
      throw this.rate.isQuotaUsedUp()
        ? new QuotaUsedUp(pauseMs)
        : new EndpointFailure("limited", "asks to slow down", pauseMs);
    if (isAuxiliary) await this.waitForSpare(calls, deadlineMs);
    else {
      const waitMs = this.rate.reserve(calls);
      if (waitMs > 0) await clock.sleep(Math.min(waitMs, deadlineMs), signal);
    }
    if (signal.aborted) throw new EndpointFailure("down", "was closed");
  }

  /** Waits until the rate limit has calls to spare, at most until the deadline. */
  private async waitForSpare(calls: number, deadlineMs: number): Promise<void> {
    const { clock, signal } = this.context;
    const startedMs = clock.now().getTime();
    for (let waitMs = this.rate.reserveSpare(calls); waitMs > 0; waitMs = this.rate.reserveSpare(calls)) {
      const waitedMs = Math.abs(clock.now().getTime() - startedMs);
      if (waitedMs + waitMs > deadlineMs)
        throw new EndpointFailure("limited", "has no calls left within its rate limit");
      await clock.sleep(waitMs, signal);
      if (signal.aborted) return;
    }
  }

  /** Endpoints without batch support often reply with text; after a successful batch, such a reply has another cause. */
  private isSizeProblem({ kind }: EndpointFailure): boolean {
    return kind === "too_large" || (kind === "malformed" && !this.acceptsBatches);
  }
}

/** True if the failure concerns the whole request and not only this call. */
function concernsWholeRequest(reply: RpcReply): boolean {
  if (!("failure" in reply) || !(reply.failure instanceof EndpointFailure)) return false;
  return ["down", "timeout", "limited", "refused", "malformed", "deadline"].includes(reply.failure.kind);
}

function asFailure(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailure) return error;
  throw error;
}

/** Throws when the reply to a batch is not a list: a single error concerns the whole batch. */
function rejectUnbatchedReply(
  reply: unknown,
  calls: readonly RpcCall[],
  classifyError: ErrorClassifier,
): void {
  if (Array.isArray(reply)) return;
  const error = batchError(reply);
  const failure = error === undefined ? undefined : classifyError(calls[0]?.method ?? "", error);
  if (failure instanceof EndpointFailure && failure.kind === "limited") throw failure;
  throw new EndpointFailure("too_large", "rejects batches of this size");
}
