import { type App, newId } from "../app.ts";
import type { Config } from "../config.ts";
import { mailTemplate } from "../lib/mail/mail-template.ts";
import { insertMail } from "../store/accounts/mail.ts";
import type { Db } from "../store/open-store.ts";

/** A mail as it waits, sealed: ready to send, or a wish to reset whose account is looked up when it is sent. */
export type WaitingMail =
  | { kind: "ready"; to: string; subject: string; text: string; html: string }
  | { kind: "reset_password"; email: string };

/** Puts a mail into the outbox of the caller's transaction. */
export async function queueMail(app: App, tx: Db, mail: WaitingMail): Promise<void> {
  const id = newId(app);
  await insertMail(tx, {
    id,
    sealed: app.vault.seal(JSON.stringify(mail), `mail:${id}`),
    now: app.clock.now(),
  });
}

/** Where links in mails lead. */
export function linkTo(config: Config, page: string, token: string): string {
  // In the fragment, so that the token is in no access log and no Referer header.
  return `${baseUrl(config)}/links/${page}#${token}`;
}

/** The address that people and other services reach us under, without a slash at its end. */
export function baseUrl(config: Config): string {
  return (config.publicUrl?.href ?? `http://${config.host}:${config.port}/`).replace(/\/$/, "");
}

export function verificationMail(config: Config, to: string, token: string): WaitingMail {
  return ready(to, "Confirm your e-mail address", {
    paragraphs: ["Confirm that this address is yours. The link works for 24 hours."],
    action: { label: "Confirm address", url: linkTo(config, "verify-email", token) },
    footer: "You can ignore this mail if you did not sign up.",
  });
}

export function resetMail(config: Config, to: string, token: string): WaitingMail {
  return ready(to, "Set a new password", {
    paragraphs: ["Somebody asked to set a new password for your account. The link works once, for an hour."],
    action: { label: "Set a new password", url: linkTo(config, "reset-password", token) },
    footer: "If it was not you, do nothing: your password stays as it is.",
  });
}

export function passwordChangedMail(to: string): WaitingMail {
  return ready(to, "Your password was changed", {
    paragraphs: ["Your password was changed and every session was ended. Log in with the new one."],
    footer: "If it was not you, ask for a new password at once and tell your administrator.",
  });
}

export function inviteMail(
  config: Config,
  to: string,
  invite: { org_name: string; invited_by: string; token: string },
): WaitingMail {
  return ready(to, `Join ${invite.org_name} on Tocsin`, {
    paragraphs: [`${invite.invited_by} invites you to ${invite.org_name}. The link works once, for 7 days.`],
    action: { label: "See the invitation", url: linkTo(config, "invite", invite.token) },
    footer: "You can ignore this mail if you do not know them.",
  });
}

export function approvalRequestMail(
  config: Config,
  to: string,
  person: { email: string; name: string; token: string },
): WaitingMail {
  return ready(to, `${person.email} asks for an account`, {
    paragraphs: [`${person.name} (${person.email}) asks for an account. The link works once, for 7 days.`],
    action: { label: "Look at the request", url: linkTo(config, "approve-signup", person.token) },
  });
}

export function approvedMail(config: Config, to: string): WaitingMail {
  return ready(to, "Your account is ready", {
    paragraphs: ["Your account was approved. You can log in now."],
    ...(config.publicUrl && { action: { label: "Open Tocsin", url: config.publicUrl.href } }),
  });
}

export function rejectedMail(to: string): WaitingMail {
  return ready(to, "Your request for an account", {
    paragraphs: ["Your request for an account was declined."],
  });
}

export function degradedMail(to: string, chain: string, reason: string): WaitingMail {
  return ready(to, `${chain} went back further than it should`, {
    paragraphs: [
      reason,
      "Tocsin goes on following it. Look at its nodes, then enable the chain again to clear this.",
    ],
  });
}

export function channelFailingMail(to: string, subject: string, what: string): WaitingMail {
  return ready(to, subject, {
    paragraphs: [
      what,
      "Nothing is lost: messages that were not delivered are kept and can be sent again once the channel works.",
    ],
  });
}

function ready(
  to: string,
  subject: string,
  content: Omit<Parameters<typeof mailTemplate>[0], "title">,
): WaitingMail {
  return { kind: "ready", to, subject, ...mailTemplate({ title: subject, ...content }) };
}
