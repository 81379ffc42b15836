import type { App } from "../../app.ts";
import { isMailOrText, messageHour, messageLimits } from "../../delivery/message-limits.ts";
import { AppError } from "../../errors/app-error.ts";
import { countMessageWithin } from "../../store/delivery/message-limits.ts";
import type { Db } from "../../store/open-store.ts";
import { tierName } from "../../tiers.ts";
import type { OrgCaller } from "../caller.ts";

/** Counts a message that a person requests, such as a test or a replay; rejects with 429 beyond the hourly limit. */
export async function requireMessageQuota(
  app: App,
  db: Db,
  { org_id, tier }: OrgCaller,
  channel_type: string,
): Promise<void> {
  const hour = messageHour(app.clock.now());
  const limits = messageLimits(tier);
  const isLimited = isMailOrText(channel_type);
  if (await countMessageWithin(db, org_id, hour, { isMailOrText: isLimited, limits })) return;
  const limit = isLimited ? limits.mails_and_texts : limits.messages;
  const what = isLimited ? `${limit} e-mail and text messages` : `${limit} messages`;
  const retryAfterSeconds = Math.ceil((hour.getTime() + 3_600_000 - app.clock.now().getTime()) / 1000);
  const message = `The ${tierName(tier)} tier allows ${what} per hour. Try again in ${retryAfterSeconds} seconds.`;
  const window = { name: "messages", limit, seconds: 3_600 };
  throw new AppError("rate_limited", message, { retryAfterSeconds, window });
}
