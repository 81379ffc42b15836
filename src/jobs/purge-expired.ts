import * as store from "../store/purge.ts";
import type { Job } from "./job.ts";

/** Deletes expired sessions, tokens, rate-limit windows, idempotent replies, old mails and old tests of inboxes. */
export const purgeExpired: Job = {
  name: "purge-expired",
  everyMs: 10 * 60 * 1000,
  async run(app) {
    const { rows, hasMore } = await store.purgeExpired(app.db, app.clock.now());
    if (rows > 0) app.log.info({ purged: rows }, "expired rows purged");
    return { hasMore };
  },
};
