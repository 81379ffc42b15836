import { countWaiting } from "../store/delivery/waiting-counts.ts";
import type { Job } from "./job.ts";

/** Shows in the metrics how many messages wait to be sent, and for how long. */
export const measureQueues: Job = {
  name: "measure-queues",
  everyMs: 15_000,
  async run({ db, clock, metrics }) {
    const { messages, notices, oldest_due } = await countWaiting(db, clock.now());
    metrics.deliveriesQueued.set(messages);
    metrics.noticesWaiting.set(notices);
    metrics.deliveryOldest.set(oldest_due ? (clock.now().getTime() - oldest_due.getTime()) / 1000 : 0);
    return { hasMore: false };
  },
};
