import type { App } from "../../app.ts";
import { mailboxKey } from "../../lib/mail/mailbox-key.ts";
import { hashToken } from "../../lib/secrets/tokens.ts";
import { forgetAsked } from "../../store/channels/email-recipients.ts";
import { isWithinLimit } from "../accounts/throttle.ts";
import { type QueuedMail, recipientMail } from "../mail.ts";

type Asking = Extract<QueuedMail, { kind: "confirm_recipient" }>;

/**
 * Returns the mail that asks a recipient to confirm; undefined if all orgs together have asked the mailbox too often, so that the
 * org may ask again later. Counted when the mail is sent, so that no dry run counts and no transaction holds the count.
 */
export async function prepareRecipientMail(
  app: App,
  { to, org_name, token }: Asking,
  { isRetry }: { isRetry: boolean },
): Promise<QueuedMail | undefined> {
  if (isRetry || (await isWithinLimit(app, "recipient_mailbox", mailboxKey(to))))
    return recipientMail(app.config, to, { org_name, token });
  await forgetAsked(app.db, hashToken(token));
  return undefined;
}
