import { sequenceMessages } from "../store/analytics/stream.ts";
import type { Job } from "./job.ts";

/** Assigns sequence numbers to the messages of each org's live stream. */
export const sequenceStream: Job = {
  name: "sequence-stream",
  everyMs: 1_000,
  wakeOn: "stream.queued",
  async run(app) {
    const { org_ids, hasMore } = await sequenceMessages(app.db, 2_000);
    for (const org_id of org_ids) app.bus.publish({ topic: "stream.changed", org_id });
    return { hasMore };
  },
};
