import type { App } from "../app.ts";
import type { ProviderDeps } from "../channels/channel.ts";
import { mailboxKey } from "../lib/mail/mailbox-key.ts";
import {
  addRecipientOverflow,
  type RecipientLimits,
  returnRecipient,
  takeRecipient,
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
    const admitted: string[] = [];
    for (const address of addresses) {
      const counted = { recipient: recipientOf(channel_type, address), hour, org_id };
      if (await takeRecipient(app.db, counted, recipientLimits[channel_type])) admitted.push(address);
      else await addRecipientOverflow(app.db, { ...counted, channel_type, address });
    }
    const giveBack = async () => {
      for (const address of admitted)
        await returnRecipient(app.db, { recipient: recipientOf(channel_type, address), hour, org_id });
    };
    return { admitted, giveBack };
  };
}

/** What is equal for all addresses of a mailbox. */
function recipientOf(channel_type: "email" | "sms", address: string): string {
  return `${channel_type}:${channel_type === "email" ? mailboxKey(address) : address}`;
}
