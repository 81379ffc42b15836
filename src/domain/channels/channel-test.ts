import { type App, newId } from "../../app.ts";
import type { Message, SendResult } from "../../channels/channel.ts";
import { send } from "../../delivery/send-attempt.ts";
import { AppError } from "../../errors/app-error.ts";
import { type ChannelRow, recordChannelHealth } from "../../store/channels/channels.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import { throttle } from "../accounts/throttle.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { kindOf, loadChannel, subjectOf } from "./channels.ts";
import { requireMessageQuota } from "./message-quota.ts";

/** Sends a test message immediately, bypassing the queue, and waits for the result. */
export async function testChannel(app: App, caller: OrgCaller, channel_id: string): Promise<{ sent: true }> {
  const channel = await loadChannel(app.db, caller, channel_id);
  await throttle(app, "channel_test_org", caller.org_id);
  await requireMessageQuota(app, app.db, caller, channel.type);
  const org = await findOrg(app.db, caller.org_id);
  const message = testMessage(app, { id: caller.org_id, name: org?.name ?? "" }, channel);
  const result = await send(app, kindOf(channel.type), channel, message);
  const sent = result.result === "sent";
  // A failure is not stored for the Idempotency-Key: a repeated request must try again.
  const { saveReply, ...context } = caller.context;
  const auditor = sent && saveReply ? caller : { ...caller, context };
  await inTransaction(app, auditor, async (tx, { audit }) => {
    await recordChannelHealth(tx, [healthOf(channel, result)], app.clock.now());
    const details = { sent };
    audit({ org_id: caller.org_id, action: "channel.tested", subject: subjectOf(channel_id), details });
    return { sent: true as const };
  });
  if (result.result !== "sent") throw new AppError("channel_test_failed", result.reason);
  return { sent: true };
}

/** The health after a test. A failed test does not count as a failure: its caller sees the result. */
function healthOf(channel: ChannelRow, result: SendResult) {
  return {
    channel_id: channel.id,
    revision: channel.revision,
    succeeded: result.result === "sent",
    failures: 0,
    error: result.result === "sent" ? null : result.reason,
    gave_up: false,
    is_dead: false,
    wait_until: null,
  };
}

function testMessage(app: App, org: Message["org"], channel: ChannelRow): Message {
  const now = app.clock.now();
  return {
    id: newId(app),
    kind: "test",
    at: now,
    org,
    severity: "info",
    alerts: [
      {
        event_id: newId(app),
        severity: "info",
        rule: null,
        contract: null,
        chain: { chain: "ethereum", name: "Ethereum", chain_id: 1 },
        title: `Test of ${channel.name}`,
        message: "This is a test. Notifications for this channel arrive here.",
        value: 3,
        threshold: 3,
        clause: "3 events, at least 3",
        operator: "gte",
        unit: "events",
        window_seconds: 300,
        target_type: "event_frequency",
        decoded: null,
        transaction: null,
        block_number: null,
        finality: "finalized",
        fired_at: now,
        resolved_at: null,
        acknowledged_by: null,
        url: app.config.publicUrl?.href ?? null,
      },
    ],
  };
}
