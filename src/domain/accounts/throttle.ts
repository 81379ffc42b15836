import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { admitHit, type Window } from "../../store/orgs/rate-windows.ts";

const minute = 60;
const hour = 60 * minute;

/** How often each thing may be tried. `subject` says whose tries are counted together. */
export const throttles = {
  login_address: { limit: 100, seconds: 15 * minute },
  login_account: { limit: 100, seconds: hour },
  /** Stops guessing without letting a stranger elsewhere lock the owner out. */
  login_account_from_address: { limit: 10, seconds: 15 * minute },
  signup_address: { limit: 20, seconds: hour },
  reset_address: { limit: 30, seconds: hour },
  forgot_address: { limit: 20, seconds: hour },
  forgot_account: { limit: 3, seconds: hour },
  resend_user: { limit: 3, seconds: hour },
  /** Mails and texts to anybody are sent by it. */
  channel_test_org: { limit: 60, seconds: hour },
  /** Where nobody vouches for who announces transactions. */
  hint_address: { limit: 120, seconds: minute },
  /** How many announcements that cannot be read are kept. */
  hint_malformed: { limit: 10, seconds: minute },
  invite_org: { limit: 50, seconds: hour },
} satisfies Record<string, Omit<Window, "key">>;

/** What tries from an address count under: one line of IPv6 is a whole /64, whose addresses a host can choose from freely. */
export function addressGroup(ip: string | null): string {
  if (!ip?.includes(":") || !ipaddr.isValid(ip)) return ip ?? "";
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${(address as ipaddr.IPv6).parts.slice(0, 4).join(":")}/64`;
}

/** Counts a try, or refuses it with the time to wait. */
export async function throttle(app: App, name: keyof typeof throttles, ...subject: string[]): Promise<void> {
  const freeAt = await hit(app, name, subject);
  if (!freeAt) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - app.clock.now().getTime()) / 1000));
  throw new AppError("rate_limited", `Too many tries. Wait ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

/** Counts a try and says whether it is within the limit, for places that must not tell. */
export async function isWithinLimit(
  app: App,
  name: keyof typeof throttles,
  ...subject: string[]
): Promise<boolean> {
  return (await hit(app, name, subject)) === undefined;
}

async function hit(app: App, name: keyof typeof throttles, subject: string[]): Promise<Date | undefined> {
  // Hashed, so that a list of throttled addresses is not a list of our users.
  const digest = createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
  return admitHit(app.db, { key: `${name}:${digest}`, ...throttles[name] }, app.clock.now());
}
