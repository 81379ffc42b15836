import { type App, inSeconds } from "../app.ts";
import type { AnyChannelType, Message, SendResult } from "../channels/channel.ts";
import { withDeadline } from "../lib/concurrency/deadline.ts";
import type { ChannelRow } from "../store/channels/channels.ts";
import type { Claimed } from "../store/delivery/delivery-queue.ts";
import { openConfig } from "./channel-config.ts";
import { inboxOf, makeProviderDeps } from "./channel-deps.ts";
import { withheldReason } from "./plan-deliveries.ts";
import type { Recorded } from "./recorder.ts";
import { limitRetryAfter, maxQueuedSeconds, nextAttemptAt, pauseSeconds } from "./retry-schedule.ts";

/** A claimed message, and whether it must not be sent any more. */
export type QueuedMessage = {
  claimed: Claimed;
  /** The time at which the newest of its alerts was committed. */
  committedMs: number;
  message: Message | undefined;
  isObsolete: boolean;
  /** The contract is restricted, and the channel was changed by someone without access to it. */
  isWithheld: boolean;
};

/** Longer than the timeout of any channel; frees the lane in any case. */
const maxSendMs = 60_000;

/** Sends a message. An internal failure becomes a retryable result. */
export async function send(
  app: App,
  kind: AnyChannelType,
  channel: Pick<ChannelRow, "id" | "config" | "sealed_secrets">,
  message: Message,
  open = () => openConfig(app, channel),
): Promise<SendResult> {
  try {
    const deps = { ...makeProviderDeps(app), storeInInbox: inboxOf(app, channel.id) };
    const sending = kind.send(message, await open(), deps);
    const result = await withDeadline(
      maxSendMs,
      sending,
      () => new Error(`The channel did not finish within ${maxSendMs / 1000} s.`),
    );
    if (result.operatorDetails)
      app.log.warn(
        {
          channel_id: channel.id,
          message_id: message.id,
          provider: kind.type,
          reply: result.operatorDetails,
        },
        "provider did not accept message",
      );
    return result;
  } catch (error) {
    app.log.error(
      { err: error, channel_id: channel.id, message_id: message.id },
      "message could not be sent",
    );
    const reason =
      "The message could not be sent because of an internal error. The service's log has details.";
    return { status: null, excerpt: null, result: "retry", reason, isAmbiguous: true };
  }
}

/** Returns the result of a message that needs no attempt; undefined when it has to be sent. */
export function skipReason(
  app: App,
  { claimed, message, isObsolete, isWithheld }: QueuedMessage,
): SendResult | undefined {
  const noReply = { status: null, excerpt: null };
  if (!message) return { ...noReply, result: "skipped", reason: "The alert was deleted." };
  if (isWithheld) return { ...noReply, result: "skipped", reason: withheldReason };
  if (isObsolete)
    return { ...noReply, result: "skipped", reason: "The channel was not notified of the alert." };
  const waitedSeconds = (app.clock.now().getTime() - claimed.queued_at.getTime()) / 1000;
  if (waitedSeconds < maxQueuedSeconds) return undefined;
  return {
    ...noReply,
    result: "failed",
    reason: "The message could not be sent for three days.",
    isDead: false,
  };
}

/** Builds the records of an attempt. `failures` counts consecutive failures including this one. */
export function toResult(
  app: App,
  claimed: Claimed,
  channel: ChannelRow,
  kind: AnyChannelType,
  attempt: { result: SendResult; started_at: Date; latency_ms: number; wasSent: boolean; failures: number },
): Recorded {
  const { result, started_at, latency_ms, wasSent, failures } = attempt;
  const afterSeconds = result.result === "retry" ? (result.afterSeconds ?? 0) : 0;
  const next =
    result.result === "retry"
      ? nextAttemptAt(app, claimed.attempts - claimed.attempts_before, afterSeconds)
      : undefined;
  const error = errorOf(result);
  const hasGivenUp = result.result === "failed" || (result.result === "retry" && !next);
  const status = result.result === "retry" ? (next ? "queued" : "failed") : result.result;
  const wait = Math.max(kind.spacingMs / 1000, pauseSeconds(failures), limitRetryAfter(afterSeconds));
  return {
    result: {
      id: claimed.id,
      attempt: claimed.attempts,
      fence: claimed.fence,
      status,
      next_attempt_at: next ?? null,
      started_at,
      ended_at: app.clock.now(),
      latency_ms,
      result: result.result,
      status_code: result.status,
      error,
      excerpt: result.excerpt,
    },
    health:
      !wasSent || result.result === "skipped"
        ? null
        : {
            ...healthOf(channel, result),
            gave_up: hasGivenUp,
            wait_until: wait > 0 ? inSeconds(app, wait) : null,
          },
  };
}

function healthOf({ id, revision }: ChannelRow, result: SendResult) {
  return {
    channel_id: id,
    revision,
    succeeded: result.result === "sent",
    failures: result.result === "sent" ? 0 : 1,
    error: errorOf(result),
    is_dead: result.result === "failed" && result.isDead,
  };
}

function errorOf(result: SendResult): string | null {
  return result.result === "sent" ? null : result.reason;
}
