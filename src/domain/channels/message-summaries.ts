import type { App } from "../../app.ts";
import { messageHour } from "../../delivery/message-limits.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import { insertFindings } from "../../store/alerts/system-alerts.ts";
import { type Overflow, removeOverflows } from "../../store/delivery/message-limits.ts";
import { insertNotices, type NewEvent } from "../../store/engine/alert-events.ts";
import { systemEvent } from "../alerts/system-event.ts";

const batch = 500;

/** Sends each channel one summary of the messages that its org's hourly limit left out. Returns whether more wait. */
export async function summariseOverflows(app: App): Promise<boolean> {
  const events = await app.db.transaction().execute(async (tx) => {
    const overflows = await removeOverflows(tx, messageHour(app.clock.now()), batch);
    const summaries = overflows.map((overflow) => summaryOf(app, overflow));
    await insertFindings(tx, summaries);
    await insertNotices(
      tx,
      summaries.map(({ id, org_id }) => newNotice(app, org_id, id, "fired")),
    );
    return summaries;
  });
  if (events.length > 0) app.bus.publish({ topic: "notice.written" });
  return events.length === batch;
}

/** An event that is over already. It names no contract, because the reader of the channel may not see all of them. */
function summaryOf(app: App, { org_id, channel_id, hour, messages, severity }: Overflow): NewEvent {
  const event = systemEvent(app, {
    org_id,
    kind: "error",
    subject: `summary:${channel_id}:${hour.getTime()}`,
    chain: "none",
    chain_id: "0",
    target_type: "channel",
    title: `${messages} further messages were left out`,
    message:
      `From ${hour.toISOString()} on, the organisation reached its limit of messages per hour. ` +
      `${messages} messages to this channel were not sent; the alerts are in the history.`,
    value: messages,
    unit: "messages",
    explanation: { reason: "message_limit", only_channel_id: channel_id, hour: hour.toISOString() },
  });
  return { ...event, status: "resolved", resolved_at: event.fired_at, severity };
}
