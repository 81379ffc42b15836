import type { WaitingChannel } from "../store/delivery/delivery-queue.ts";

/** How many channels one process sends to at a time, and how many of one org among them. */
export type LaneLimits = { lanes: number; perOrg: number };

/** Remembers who had a turn when, so that everybody gets one before anybody gets another. */
export class RoundRobin {
  private turn = 0;
  private readonly last = new Map<string, number>();

  lastOf(id: string): number {
    return this.last.get(id) ?? 0;
  }

  take(id: string): void {
    if (this.last.size > 20_000) this.last.clear();
    this.last.set(id, ++this.turn);
  }
}

/**
 * Chooses the channels to send to next: the org that has waited longest for a turn comes first, however much another has
 * to send, and none has more than its share of lanes.
 */
export function pickLanes(
  waiting: WaitingChannel[],
  serving: ReadonlyMap<string, { org_id: string }>,
  turns: RoundRobin,
  limits: LaneLimits,
): WaitingChannel[] {
  const busy = new Map<string, number>();
  for (const { org_id } of serving.values()) busy.set(org_id, (busy.get(org_id) ?? 0) + 1);
  const queues = [...Map.groupBy(waiting, ({ org_id }) => org_id)].map(([org_id, list]) => ({
    org_id,
    channels: list
      .filter(({ channel_id }) => !serving.has(channel_id))
      .sort((a, b) => turns.lastOf(a.channel_id) - turns.lastOf(b.channel_id) || +a.due_at - +b.due_at),
  }));
  const picked: WaitingChannel[] = [];
  for (let room = limits.lanes - serving.size; room > 0; room--) {
    const able = queues.filter(
      ({ org_id, channels }) => channels.length > 0 && (busy.get(org_id) ?? 0) < limits.perOrg,
    );
    const next = able.reduce<(typeof able)[0] | undefined>(
      (best, one) => (best && turns.lastOf(best.org_id) <= turns.lastOf(one.org_id) ? best : one),
      undefined,
    );
    const channel = next?.channels.shift();
    if (!next || !channel) break;
    picked.push(channel);
    busy.set(next.org_id, (busy.get(next.org_id) ?? 0) + 1);
    turns.take(next.org_id);
    turns.take(channel.channel_id);
  }
  return picked;
}
