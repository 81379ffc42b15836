import { type App, newId } from "../../app.ts";
import type { Message, SendResult } from "../../channels/channel.ts";
import { type ChannelConfig, openConfig } from "../../delivery/channel-config.ts";
import { send } from "../../delivery/send-attempt.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { type ChannelRow, recordChannelHealth } from "../../store/channels/channels.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { ChannelTest } from "../../wire/channels/channels.ts";
import { throttle } from "../accounts/throttle.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { validateConfig, validateConfigChange } from "./channel-input.ts";
import { complete, kindOf, loadChannel, subjectOf } from "./channels.ts";
import { requireMessageQuota } from "./message-quota.ts";
import { requireTestableRecipients } from "./recipients.ts";

/** Sends a test message immediately, bypassing the queue, and waits for the result. */
export async function testChannel(app: App, caller: OrgCaller, channel_id: string): Promise<{ sent: true }> {
  const channel = await loadChannel(app.db, caller, channel_id);
  await throttle(app, "channel_test_org", caller.org_id);
  await requireMessageQuota(app, app.db, caller, channel.type);
  const message = await testMessage(app, caller, channel.name);
  const result = await send(app, kindOf(channel.type), channel, message);
  const sent = result.result === "sent";
  await inTransaction(app, auditorOf(caller, result), async (tx, { audit }) => {
    await recordChannelHealth(tx, [healthOf(channel, result)], app.clock.now());
    const details = { sent };
    audit({ org_id: caller.org_id, action: "channel.tested", subject: subjectOf(channel_id), details });
    return { sent: true as const };
  });
  if (result.result !== "sent") throw new AppError("channel_test_failed", result.reason);
  return { sent: true };
}

/** Sends a test message with a config that is not saved. */
export async function testNewChannel(
  app: App,
  caller: OrgCaller,
  input: ChannelTest,
): Promise<{ sent: true }> {
  const { type } = input;
  const kind = kindOf(type);
  const config = complete(app, kind, await unsavedConfig(app, caller, input));
  await requireTestableRecipients(app, caller, type, config);
  await throttle(app, "channel_test_org", caller.org_id);
  await requireMessageQuota(app, app.db, caller, type);
  const message = await testMessage(app, caller, kind.title);
  const unsaved = { id: message.id, config, sealed_secrets: null };
  const result = await send(app, kind, unsaved, message, async () => config);
  await inTransaction(app, auditorOf(caller, result), async (_tx, { audit }) => {
    const details = { type, sent: result.result === "sent" };
    const subject = { type: "channel", id: null };
    audit({ org_id: caller.org_id, action: "channel.tested", subject, details });
    return { sent: true as const };
  });
  if (result.result !== "sent") throw new AppError("channel_test_failed", result.reason);
  return { sent: true };
}

/** Returns the validated config of a channel that does not exist yet, or of one as it would be after a change. */
async function unsavedConfig(
  app: App,
  caller: OrgCaller,
  { type, config, channel_id }: ChannelTest,
): Promise<ChannelConfig> {
  if (channel_id === undefined) return validateConfig(app, kindOf(type), config);
  const stored = await loadChannel(app.db, caller, channel_id);
  if (stored.type !== type) {
    const msg = `is a channel of the type ${stored.type}, not ${type}`;
    throw new InvalidRequest([{ loc: ["body", "channel_id"], msg, type: "value_error" }]);
  }
  return validateConfigChange(app, kindOf(type), await openConfig(app, stored), config);
}

/** A failure is not stored for the Idempotency-Key: a repeated request must try again. */
function auditorOf(caller: OrgCaller, { result }: SendResult): OrgCaller {
  const { saveReply, ...context } = caller.context;
  return result === "sent" && saveReply ? caller : { ...caller, context };
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

async function testMessage(app: App, { org_id }: OrgCaller, name: string): Promise<Message> {
  const now = app.clock.now();
  const org = { id: org_id, name: (await findOrg(app.db, org_id))?.name ?? "" };
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
        title: `Test of ${name}`,
        message: "Notifications for this channel arrive here.",
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
