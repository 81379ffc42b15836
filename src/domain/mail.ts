import { type App, newId } from "../app.ts";
import { oneLine, unlinked } from "../channels/message/plain-text.ts";
import type { Config } from "../config.ts";
import { mailTemplate } from "../lib/mail/mail-template.ts";
import { insertMail } from "../store/accounts/mail.ts";
import type { Db } from "../store/open-store.ts";
import { sealedContext } from "../store/secrets/sealed-places.ts";

/**
 * A queued mail: ready to send, a password reset whose account is looked up when it is sent, or a request to a recipient, whose
 * mailbox is checked then. A text message of the service itself waits here too.
 */
export type QueuedMail =
  | { kind: "ready"; to: string; subject: string; text: string; html: string }
  | { kind: "reset_password"; email: string }
  | { kind: "confirm_recipient"; to: string; org_name: string; token: string }
  | { kind: "text"; to: string; text: string };

/** Adds a mail to the outbox, in the transaction of the caller. */
export async function queueMail(app: App, tx: Db, mail: QueuedMail): Promise<void> {
  const id = newId(app);
  await insertMail(tx, {
    id,
    sealed: app.vault.seal(JSON.stringify(mail), sealedContext.mail(id)),
    now: app.clock.now(),
  });
}

/** Returns the URL of a page for a mailed token. */
export function linkTo(config: Config, page: string, token: string): string {
  // In the fragment, so that the token appears in no access log and no Referer header.
  return `${baseUrl(config)}/links/${page}#${token}`;
}

/** Returns the public URL of the service, without a trailing slash. */
export function baseUrl(config: Config): string {
  return (config.publicUrl?.href ?? `http://${config.host}:${config.port}/`).replace(/\/$/, "");
}

export function verificationMail(config: Config, to: string, token: string): QueuedMail {
  return ready(to, "Confirm your e-mail address", {
    paragraphs: ["Confirm that this address is yours. The link works for 24 hours."],
    action: { label: "Confirm address", url: linkTo(config, "verify-email", token) },
    footer: "You can ignore this mail if you did not sign up.",
  });
}

export function resetMail(config: Config, to: string, token: string): QueuedMail {
  return ready(to, "Set a new password", {
    paragraphs: ["A new password was requested for your account. The link works once, for an hour."],
    action: { label: "Set a new password", url: linkTo(config, "reset-password", token) },
    footer: "If you did not request this, ignore this mail: your password does not change.",
  });
}

export function passwordChangedMail(to: string): QueuedMail {
  return ready(to, "Your password was changed", {
    paragraphs: ["Your password was changed and every session was ended. Log in with the new one."],
    footer: "If you did not do this, reset your password now and inform your administrator.",
  });
}

export function otherSessionsEndedMail(to: string): QueuedMail {
  return ready(to, "Your password was changed", {
    paragraphs: ["Your password was changed, and every other session was ended."],
    footer: "If you did not do this, reset your password now and inform your administrator.",
  });
}

export function accountDeletedMail(to: string): QueuedMail {
  return ready(to, "Your account was deleted", {
    paragraphs: [
      "Your account was deleted, with the organisations of which you were the only member. Entries of audit logs keep your name.",
    ],
    footer: "If you did not do this, inform the operator of the service.",
  });
}

export function inviteMail(
  config: Config,
  to: string,
  invite: { org_name: string; invited_by: string; token: string },
): QueuedMail {
  const [org, inviter] = [nameOf(invite.org_name), nameOf(invite.invited_by)];
  return ready(to, `Join ${org} on Tocsin`, {
    paragraphs: [`${inviter} invites you to ${org}. The link works once, for 7 days.`],
    action: { label: "View the invitation", url: linkTo(config, "invite", invite.token) },
    footer: "You can ignore this mail if you do not know the sender.",
  });
}

export function recipientMail(
  config: Config,
  to: string,
  { org_name, token }: { org_name: string; token: string },
): QueuedMail {
  const org = nameOf(org_name);
  return ready(to, `Alerts of ${org}: please confirm`, {
    paragraphs: [
      `${org} wants to send alerts of its contract monitoring to this address. Nothing is sent unless you confirm. The link works for 14 days.`,
    ],
    action: { label: "Confirm", url: linkTo(config, "confirm-recipient", token) },
    footer: "You can ignore this mail if you do not know the sender.",
  });
}

export function approvalRequestMail(
  config: Config,
  to: string,
  person: { email: string; name: string; token: string },
): QueuedMail {
  const { email } = person;
  return ready(to, `${email} requests an account`, {
    paragraphs: [`${nameOf(person.name)} (${email}) requests an account. The link works once, for 7 days.`],
    action: { label: "Review the request", url: linkTo(config, "approve-signup", person.token) },
  });
}

export function approvedMail(config: Config, to: string): QueuedMail {
  return ready(to, "Your account is ready", {
    paragraphs: ["Your account was approved. You can log in now."],
    ...(config.publicUrl && { action: { label: "Open Tocsin", url: config.publicUrl.href } }),
  });
}

export function rejectedMail(to: string): QueuedMail {
  return ready(to, "Your request for an account", {
    paragraphs: ["Your sign-up was rejected."],
  });
}

export function degradedMail(to: string, chain: string, reason: string): QueuedMail {
  return ready(to, `Deep reorg on ${chain}`, {
    paragraphs: [
      reason,
      "Tocsin continues to follow the chain. Check its RPC endpoints, then enable the chain again to clear this state.",
    ],
  });
}

export function channelFailingMail(to: string, subject: string, ...problems: string[]): QueuedMail {
  return ready(to, unlinked(oneLine(subject, 200)), {
    paragraphs: [
      ...problems.map((problem) => unlinked(problem)),
      "No message is lost: undelivered messages are stored and can be sent again once the channel works.",
    ],
  });
}

/** A name that someone chose, for a mail to someone else: short, one line, and without anything that a client makes a link. */
function nameOf(name: string): string {
  return unlinked(oneLine(name, 80));
}

/** The summary of messages that the limit of a recipient left out in an hour. */
export function leftOutMail(to: string, { hour, messages }: { hour: Date; messages: number }): QueuedMail {
  const from = hour.toISOString().slice(0, 16).replace("T", " ");
  return ready(to, `${messages} further messages were left out`, {
    paragraphs: [
      `In the hour from ${from} UTC, several organisations together sent this address as many alert messages as they may send to one recipient. ` +
        `${messages} further messages were not sent. The alerts are in the history of the organisations that sent them.`,
    ],
    footer: "This address gets one such summary an hour.",
  });
}

function ready(
  to: string,
  subject: string,
  content: Omit<Parameters<typeof mailTemplate>[0], "title">,
): QueuedMail {
  return { kind: "ready", to, subject, ...mailTemplate({ title: subject, ...content }) };
}
