import type { WaitingChannel } from "../store/delivery/delivery-queue.ts";

/** The number of channels that one process sends to at a time, in total and per org. */
export type LaneLimits = { lanes: number; perOrg: number };

/** Records the order of turns, so that each id gets one before any gets another. */
export class RoundRobin {
  private turn = 0;
  private readonly last = new Map<string, number>();

  lastOf(id: string): number {
    return this.last.get(id) ?? 0;
  }

  recordTurn(id: string): void {
    if (this.last.size > 20_000) this.last.clear();
    this.last.set(id, ++this.turn);
  }
}

/**
 * Picks the channels to send to next. The org whose last turn is longest ago comes first, however much another has to send,
 * and no org gets more than its share of lanes.
 */
export function pickLanes(
  waiting: WaitingChannel[],
  active: ReadonlyMap<string, { org_id: string }>,
  turns: RoundRobin,
  limits: LaneLimits,
): WaitingChannel[] {
  const busy = new Map<string, number>();
  for (const { org_id } of active.values()) busy.set(org_id, (busy.get(org_id) ?? 0) + 1);
  const queues = [...Map.groupBy(waiting, ({ org_id }) => org_id)].map(([org_id, list]) => ({
    org_id,
    channels: list
      .filter(({ channel_id }) => !active.has(channel_id))
      .sort((a, b) => turns.lastOf(a.channel_id) - turns.lastOf(b.channel_id) || +a.due_at - +b.due_at),
  }));
  const picked: WaitingChannel[] = [];
  for (let free = limits.lanes - active.size; free > 0; free--) {
    const eligible = queues.filter(
      ({ org_id, channels }) => channels.length > 0 && (busy.get(org_id) ?? 0) < limits.perOrg,
    );
    const next = eligible.reduce<(typeof eligible)[0] | undefined>(
      (best, lane) => (best && turns.lastOf(best.org_id) <= turns.lastOf(lane.org_id) ? best : lane),
      undefined,
    );
    const channel = next?.channels.shift();
    if (!next || !channel) break;
    picked.push(channel);
    busy.set(next.org_id, (busy.get(next.org_id) ?? 0) + 1);
    turns.recordTurn(next.org_id);
    turns.recordTurn(channel.channel_id);
  }
  return picked;
}
