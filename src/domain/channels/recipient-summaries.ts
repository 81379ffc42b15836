import type { App } from "../../app.ts";
import { messageHour } from "../../delivery/message-limits.ts";
import { type RecipientOverflow, removeRecipientOverflows } from "../../store/delivery/recipient-limits.ts";
import { leftOutMail, type QueuedMail, queueMail } from "../mail.ts";

const batch = 200;

/** Sends each recipient one summary of the messages that the limit of an hour left out. Returns whether more wait. */
export async function summariseRecipients(app: App): Promise<boolean> {
  const overflows = await app.db.transaction().execute(async (tx) => {
    const taken = await removeRecipientOverflows(tx, messageHour(app.clock.now()), batch);
    for (const overflow of taken) await queueMail(app, tx, summaryOf(overflow));
    return taken;
  });
  if (overflows.length > 0) app.bus.publish({ topic: "mail.queued" });
  return overflows.length === batch;
}

/** It names no organisation: what one of them sends is no business of the others. */
function summaryOf({ channel_type, address, hour, messages }: RecipientOverflow): QueuedMail {
  if (channel_type === "email") return leftOutMail(address, { hour, messages });
  const time = `${hour.toISOString().slice(11, 16)} UTC`;
  const text = `Tocsin: ${messages} further alerts to this number were left out in the hour from ${time}. They are in the history of alerts. Reply STOP to opt out.`;
  return { kind: "text", to: address, text };
}
