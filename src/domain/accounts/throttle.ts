import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { admitHit, removeHit, type Window } from "../../store/orgs/rate-windows.ts";

const minute = 60;
const hour = 60 * minute;

/** Rate limits of sensitive actions: attempts per time window. */
export const throttles = {
  login_address: { limit: 100, seconds: 15 * minute },
  login_account: { limit: 100, seconds: hour },
  /** Stops guessing without letting an attacker elsewhere lock the owner out. */
  login_account_from_address: { limit: 10, seconds: 15 * minute },
  signup_address: { limit: 20, seconds: hour },
  reset_address: { limit: 30, seconds: hour },
  forgot_address: { limit: 20, seconds: hour },
  forgot_account: { limit: 3, seconds: hour },
  resend_user: { limit: 3, seconds: hour },
  /** A channel test can send mails and texts to arbitrary recipients. */
  channel_test_org: { limit: 60, seconds: hour },
  /** A fire drill notifies every channel of a rule. */
  fire_drill_org: { limit: 60, seconds: hour },
  /** Codes by text message cost the operator money and reach people who did not ask for them, whatever number is entered. */
  sms_code_phone: { limit: 5, seconds: 24 * hour },
  sms_code_org: { limit: 5, seconds: hour },
  sms_code_user: { limit: 10, seconds: 24 * hour },
  /** All orgs together, because anyone can create orgs. */
  sms_code_service: { limit: 100, seconds: hour },
  /** Applies to webhook deliveries without a shared secret. */
  hint_address: { limit: 120, seconds: minute },
  /** The number of unreadable webhook deliveries that are stored. */
  hint_malformed: { limit: 10, seconds: minute },
  /** Denied requests of a person or key that are recorded in the audit log, so that a loop cannot fill it. */
  recorded_denials: { limit: 100, seconds: hour },
  invite_org: { limit: 50, seconds: hour },
  /** A user can have many orgs, and can delete them and create others. */
  invite_user: { limit: 100, seconds: hour },
  org_user: { limit: 100, seconds: 24 * hour },
  /** A mailbox may belong to someone who does not want these mails: all orgs together must not flood it. */
  invite_mailbox: { limit: 5, seconds: 24 * hour },
  /** Invites to a person who has confirmed that they want mails of the org, which those of other orgs do not prevent. */
  invite_confirmed: { limit: 3, seconds: 24 * hour },
  recipient_mailbox: { limit: 3, seconds: 24 * hour },
  verification_mailbox: { limit: 10, seconds: 24 * hour },
  /** Mails to the mailbox itself, which accounts with other addresses of it do not prevent. */
  verification_address: { limit: 3, seconds: 24 * hour },
  /** Requests for accounts beyond this are in the admin area, without a mail to staff. */
  approval_mails: { limit: 100, seconds: hour },
} satisfies Record<string, Omit<Window, "key">>;

/** Returns the key that attempts from an IP address count under; IPv6 addresses are grouped by /64. */
export function addressGroup(ip: string | null): string {
  if (!ip?.includes(":") || !ipaddr.isValid(ip)) return ip ?? "";
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${(address as ipaddr.IPv6).parts.slice(0, 4).join(":")}/64`;
}

/** What counting needs. With a transaction as the database, what is rolled back does not count. */
type Counting = Pick<App, "clock" | "db">;

/** Counts an attempt and returns when; rejects with 429 and the time to wait if the limit is exceeded. */
export async function throttle(
  app: Counting,
  name: keyof typeof throttles,
  ...subject: string[]
): Promise<Date> {
  return throttleWith(app, { name, subject, problem: "Too many attempts." });
}

/** Like `throttle`, with a sentence that says what there is too much of. */
export async function throttleWith(
  app: Counting,
  { name, subject, problem }: { name: keyof typeof throttles; subject: string[]; problem: string },
): Promise<Date> {
  const at = app.clock.now();
  const freeAt = await hit(app, name, subject, at);
  if (!freeAt) return at;
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - app.clock.now().getTime()) / 1000));
  throw new AppError("rate_limited", `${problem} Retry in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
    // The same name for all, so that it does not tell whether an account or an address is limited.
    window: { name: "attempts", ...throttles[name] },
  });
}

/** Uncounts an attempt that was counted at a time, because it succeeded. */
export async function forgive(
  app: App,
  name: keyof typeof throttles,
  at: Date,
  ...subject: string[]
): Promise<void> {
  await removeHit(app.db, keyOf(name, subject), at);
}

/** Counts an attempt and returns whether it is within the limit, for callers that must not reveal it. */
export async function isWithinLimit(
  app: Counting,
  name: keyof typeof throttles,
  ...subject: string[]
): Promise<boolean> {
  return (await hit(app, name, subject)) === undefined;
}

async function hit(
  app: Counting,
  name: keyof typeof throttles,
  subject: string[],
  at = app.clock.now(),
): Promise<Date | undefined> {
  return admitHit(app.db, { key: keyOf(name, subject), ...throttles[name] }, at);
}

/** Hashed, so that the table of throttled addresses does not list our users. */
function keyOf(name: string, subject: string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
  return `${name}:${digest}`;
}
