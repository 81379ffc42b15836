import type { Alert, Message, SendResult } from "../channel.ts";

/** Sends the alarms of a message in turn, up to the first that fails: the provider takes a repeat for what it is. */
export async function sendEach(
  { alerts }: Message,
  send: (alert: Alert) => Promise<SendResult>,
): Promise<SendResult> {
  const [first, ...others] = alerts;
  let outcome = await send(first);
  for (const alert of others) {
    if (outcome.result === "retry" || outcome.result === "failed") return outcome;
    outcome = await send(alert);
  }
  return outcome;
}
