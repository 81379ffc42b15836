import * as store from "../store/purge.ts";
import type { Job } from "./job.ts";

/** Deletes sessions, tokens, windows, kept answers and old mails that have run out. */
export const purgeExpired: Job = {
  name: "purge-expired",
  everyMs: 10 * 60 * 1000,
  async run(app) {
    const purged = await store.purgeExpired(app.db, app.clock.now());
    if (purged > 0) app.log.info({ purged }, "expired rows were purged");
    return { hasMore: false };
  },
};
