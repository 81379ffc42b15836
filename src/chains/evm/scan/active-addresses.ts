import type { Clock } from "../../../lib/clock.ts";
import type { ChainReader } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { fetchActiveHolders } from "../transfers/fetch-transfers.ts";
import { EventsRefused, type FoundLog, fetchEvents } from "./fetch-events.ts";

/** An address with more logs per scan is active all the time, and its logs would cost more than they say. */
const maxLogs = 100;
const busyForMs = 3_600_000;
/** Behind by more, state is read at its interval only. */
const maxBlocks = 2_000;

/** Makes a function that finds the addresses that emitted events in a range. Nothing depends on it, so it is not verified. */
export function makeFindActive(
  rpc: Rpc,
  clock: Clock,
  prefer: () => number | undefined,
): NonNullable<ChainReader["activeAddresses"]> {
  /** The time until which addresses count as active without being asked for. */
  const busy = new Map<string, number>();
  const nowMs = () => clock.now().getTime();

  function markBusy(logs: readonly FoundLog[]): void {
    for (const [address, logsOfAddress] of Map.groupBy(logs, (log) => log.address))
      if (logsOfAddress.length > maxLogs) busy.set(address, nowMs() + busyForMs);
  }

  async function activeIn(addresses: ReadonlySet<string>, from: number, to: number): Promise<Set<string>> {
    const queried = [...addresses].filter((address) => !busy.has(address));
    const active = new Set([...addresses].filter((address) => busy.has(address)));
    if (queried.length === 0) return active;
    const events = new Map(queried.map((address) => [address, "all" as const]));
    const { logs } = await rpc.use(
      (session) =>
        fetchEvents(session, events, from, to).catch((error: unknown) => {
          if (error instanceof EventsRefused) return { logs: [], requests: 0 };
          throw error;
        }),
      { prefer: prefer() },
    );
    markBusy(logs);
    for (const { address } of logs) active.add(address);
    return active;
  }

  return async (from, to, { addresses, holders }) => {
    if (to - from >= maxBlocks) return new Set();
    for (const [address, until] of busy) if (until <= nowMs()) busy.delete(address);
    const active = await activeIn(addresses, from, to);
    if (holders.size === 0) return active;
    const moved = await rpc.use((session) => fetchActiveHolders(session, holders, from, to), {
      prefer: prefer(),
    });
    return new Set([...active, ...moved]);
  };
}
