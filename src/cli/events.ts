import { systemClock } from "../lib/clock.ts";
import type { AlertEvent } from "../wire/alerts/alert-events.ts";
import { UsageError } from "./command.ts";
import type { RemoteClient } from "./remote/client.ts";
import { requireRemote } from "./remote/require-remote.ts";

const pollMs = 2_000;
/** Events are found again this long: the time of a block may be some minutes ago when its event is committed. */
const overlapMs = 15 * 60_000;

/** Prints the newest alerts, and then each new one, until it is interrupted. */
export async function run([verb, ...rest]: string[]): Promise<void> {
  if (verb !== "tail" || rest.length > 0) throw new UsageError("expected `events tail`.");
  const client = requireRemote();
  const printed = new Set<string>();
  for (const event of (await client.get<AlertEvent[]>("/alerts/history?limit=10")).reverse())
    print(event, printed);
  for (;;) {
    await systemClock.sleep(pollMs);
    for (const event of await listRecent(client)) print(event, printed);
  }
}

/** A service that restarts is asked again. */
async function listRecent(client: RemoteClient): Promise<AlertEvent[]> {
  const from = new Date(systemClock.now().getTime() - overlapMs).toISOString();
  const events = await client
    .get<AlertEvent[]>(`/alerts/history?limit=100&from=${from}`)
    .catch((error: Error) => {
      console.error(`tocsin: ${error.message}`);
      return [];
    });
  return events.reverse();
}

function print(event: AlertEvent, printed: Set<string>): void {
  const { id, fired_at, severity, status, message } = event;
  const key = `${id} ${status}`;
  if (printed.has(key)) return;
  printed.add(key);
  console.log(`${fired_at}  ${severity.padEnd(8)}  ${status.padEnd(9)}  ${message}`);
}
