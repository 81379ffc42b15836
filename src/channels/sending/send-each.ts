import type { Alarm, Message, Outcome } from "../channel.ts";

/** Sends the alarms of a message in turn, up to the first that fails: the provider takes a repeat for what it is. */
export async function oneByOne(
  { alarms }: Message,
  send: (alarm: Alarm) => Promise<Outcome>,
): Promise<Outcome> {
  const [first, ...others] = alarms;
  let outcome = await send(first);
  for (const alarm of others) {
    if (outcome.result === "retry" || outcome.result === "failed") return outcome;
    outcome = await send(alarm);
  }
  return outcome;
}
