/** The unwritten usage of one key on one day. */
export type Counted = { requests: number; errors: number; lastUsedAt: Date };

/** Counts requests in memory without blocking them. */
export type UsageCounter = {
  count(owner: { key_id: string; org_id: string }, status: number, at: Date): void;
  /** The unwritten counts of one key on one day. */
  pending(key_id: string, day: string): Counted | undefined;
  lastUsedAt(key_id: string): Date | undefined;
  /** Passes the counts to `write`. Counts of a failed write are kept. Reads include counts until they are written. */
  flush(
    write: (counts: (Counted & { key_id: string; org_id: string; day: string })[]) => Promise<void>,
  ): Promise<void>;
};

export const dayOf = (at: Date) => at.toISOString().slice(0, 10);

type Entry = Counted & { key_id: string; org_id: string; day: string };
/** By key, then by day. */
type Entries = Map<string, Map<string, Entry>>;

export function makeUsageCounter(): UsageCounter {
  const entries: Entries = new Map();
  const find = (key_id: string, day: string) => entries.get(key_id)?.get(day);
  let flushing: Promise<void> = Promise.resolve();

  return {
    count({ key_id, org_id }, status, at) {
      const day = dayOf(at);
      const entry = find(key_id, day) ?? { key_id, org_id, day, requests: 0, errors: 0, lastUsedAt: at };
      entry.requests++;
      if (status >= 400) entry.errors++;
      entry.lastUsedAt = at;
      const days = entries.get(key_id) ?? new Map<string, Entry>();
      entries.set(key_id, days.set(day, entry));
    },
    pending: find,
    lastUsedAt(key_id) {
      const days = [...(entries.get(key_id)?.values() ?? [])];
      return days.map((entry) => entry.lastUsedAt).sort((a, b) => b.getTime() - a.getTime())[0];
    },
    flush(write) {
      const run = async () => {
        const written = [...entries.values()].flatMap((days) =>
          [...days.values()].map((entry) => ({ ...entry })),
        );
        if (written.length === 0) return;
        await write(written);
        for (const entry of written) subtract(entries, entry);
      };
      // Flushes run one at a time, so that no count is written twice.
      flushing = flushing.then(run, run);
      return flushing;
    },
  };
}

/** Keeps what was counted during the write. */
function subtract(entries: Entries, written: Entry): void {
  const days = entries.get(written.key_id);
  const entry = days?.get(written.day);
  if (!days || !entry) return;
  entry.requests -= written.requests;
  entry.errors -= written.errors;
  if (entry.requests === 0) days.delete(written.day);
  if (days.size === 0) entries.delete(written.key_id);
}
