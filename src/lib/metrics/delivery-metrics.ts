import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** What sending messages shows: attempts, delays and the queue. */
export function deliveryMetrics(registers: Registry[]) {
  return {
    deliveryAttempts: new Counter({
      name: "tocsin_delivery_attempts_total",
      help: "Attempts to send a message by type of channel and outcome.",
      labelNames: ["type", "outcome"],
      registers,
    }),
    commitToDelivery: new Histogram({
      name: "tocsin_commit_to_delivery_seconds",
      help: "Time from the commit of an event to the message sent, by type of channel.",
      labelNames: ["type"],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600],
      registers,
    }),
    deliveriesQueued: new Gauge({
      name: "tocsin_delivery_queue_messages",
      help: "Messages that wait to be sent.",
      registers,
    }),
    deliveryOldest: new Gauge({
      name: "tocsin_delivery_queue_oldest_seconds",
      help: "The age of the oldest message that is due and not sent; 0 if there is none.",
      registers,
    }),
    noticesWaiting: new Gauge({
      name: "tocsin_outbox_notices",
      help: "Notices of events for which no message was made yet.",
      registers,
    }),
  };
}
