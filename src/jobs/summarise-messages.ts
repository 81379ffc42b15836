import { summariseOverflows } from "../domain/channels/message-summaries.ts";
import { summariseRecipients } from "../domain/channels/recipient-summaries.ts";
import type { Job } from "./job.ts";

/** Sends summaries of messages beyond the hourly limits of orgs and recipients, once the hour has ended. */
export const summariseMessages: Job = {
  name: "summarise-messages",
  everyMs: 60_000,
  async run(app) {
    const hasMore = [await summariseOverflows(app), await summariseRecipients(app)];
    return { hasMore: hasMore.includes(true) };
  },
};
