import type { App } from "../app.ts";
import type { ProviderDeps } from "../channels/channel.ts";
import { mailboxKey } from "../lib/mail/mailbox-key.ts";
import {
  addRecipientOverflow,
  countRecipientMessage,
  type RecipientLimits,
  removeRecipientOverflow,
  uncountRecipientMessage,
} from "../store/delivery/recipient-limits.ts";
import { messageHour } from "./message-limits.ts";

/** Many orgs, of which each is within its own limit, must not flood a mailbox or a phone. */
export const recipientLimits: Record<"email" | "sms", RecipientLimits> = {
  email: { ofOthers: 200, reserved: 5, orgs: 100 },
  sms: { ofOthers: 30, reserved: 5, orgs: 15 },
};

/** Returns the function that counts messages to recipients, and leaves out those who got their messages of the hour. */
export function limitRecipients(app: App): ProviderDeps["admit"] {
  return async (org_id, channel_type, addresses) => {
    const hour = messageHour(app.clock.now());
    const [admitted, limited]: [string[], string[]] = [[], []];
    for (const address of addresses) {
      const counted = { recipient: recipientOf(channel_type, address), hour, org_id };
      const isAdmitted = await countRecipientMessage(app.db, counted, recipientLimits[channel_type]);
      (isAdmitted ? admitted : limited).push(address);
      if (!isAdmitted) await addRecipientOverflow(app.db, { ...counted, channel_type, address });
    }
    const undo = async () => {
      for (const address of admitted)
        await uncountRecipientMessage(app.db, {
          recipient: recipientOf(channel_type, address),
          hour,
          org_id,
        });
      for (const address of limited)
        await removeRecipientOverflow(app.db, recipientOf(channel_type, address), hour);
    };
    return { admitted, undo };
  };
}

/** What is equal for all addresses of a mailbox. */
function recipientOf(channel_type: "email" | "sms", address: string): string {
  return `${channel_type}:${channel_type === "email" ? mailboxKey(address) : address}`;
}
