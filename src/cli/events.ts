import { systemClock } from "../lib/clock.ts";
import type { AlertEvent } from "../wire/alerts/alert-events.ts";
import { UsageError } from "./command.ts";
import type { RemoteClient } from "./remote/client.ts";
import { requireRemote } from "./remote/require-remote.ts";

const pollMs = 2_000;
/** The time of a block may be some minutes ago when its event is committed, so that each poll lists older events again. */
const overlapMs = 15 * 60_000;
const shownAtStart = 10;
const maxListed = 100;

/** Prints the newest alerts, and then each new one and each that changes its status, until it is interrupted. */
export async function run([verb, ...rest]: string[]): Promise<void> {
  if (verb !== "tail" || rest.length > 0) throw new UsageError("expected `events tail`.");
  const client = requireRemote();
  const newest = await client.get<AlertEvent[]>(`/alerts/history?limit=${maxListed}`);
  for (const event of newest.slice(0, shownAtStart).reverse()) print(event);
  const printed = new Set(newest.map(keyOf));
  for (;;) {
    await systemClock.sleep(pollMs);
    for (const event of await listRecent(client)) {
      if (printed.has(keyOf(event))) continue;
      printed.add(keyOf(event));
      print(event);
    }
  }
}

/** The status is part of it, so that an alert that resolves is printed again. */
function keyOf({ id, status }: AlertEvent): string {
  return `${id} ${status}`;
}

/** While the service restarts, the list is empty, and the next poll finds what was missed. */
async function listRecent(client: RemoteClient): Promise<AlertEvent[]> {
  const from = new Date(systemClock.now().getTime() - overlapMs).toISOString();
  const events = await client
    .get<AlertEvent[]>(`/alerts/history?limit=${maxListed}&from=${from}`)
    .catch((error: Error) => {
      console.error(`tocsin: ${error.message}`);
      return [];
    });
  return events.reverse();
}

function print({ fired_at, severity, status, message }: AlertEvent): void {
  console.log(`${fired_at}  ${severity.padEnd(8)}  ${status.padEnd(9)}  ${message}`);
}
