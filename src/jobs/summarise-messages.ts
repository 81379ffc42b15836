import { summariseOverflows } from "../domain/channels/message-summaries.ts";
import type { Job } from "./job.ts";

/** Sends summaries of messages beyond the hourly limit, once the hour has ended. */
export const summariseMessages: Job = {
  name: "summarise-messages",
  everyMs: 60_000,
  async run(app) {
    return { hasMore: await summariseOverflows(app) };
  },
};
