import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { type Bus, type Hint, makeLocalBus } from "./bus.ts";

/** Carries lines of text between processes. What it loses is found by those who look by the clock as well. */
export type BusTransport = {
  send(line: string): Promise<void>;
  /** Calls the listener with every line that any process sent. */
  listen(listener: (line: string) => void): void;
  close(): Promise<void>;
};

/** Hints of a moment go out together: many say the same. */
const gatherMs = 10;
/** NOTIFY takes 8,000 bytes. */
const maxBatch = 50;

/** A bus between processes: heard here at once, elsewhere a moment later. */
export function makeSharedBus(carrier: BusTransport, clock: Clock): Bus & { close(): Promise<void> } {
  const local = makeLocalBus();
  const self = randomUUID().slice(0, 8);
  const waiting = new Map<string, Hint>();
  let sending: Promise<void> | undefined;

  carrier.listen((line) => {
    const { from, hints } = parse(line);
    if (from !== self) for (const hint of hints) local.publish(hint);
  });
  const flush = async () => {
    await clock.sleep(gatherMs);
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, maxBatch);
      for (const [name] of batch) waiting.delete(name);
      const hints = batch.map(([, hint]) => hint);
      await carrier.send(JSON.stringify({ from: self, hints })).catch(() => undefined);
    }
    sending = undefined;
  };

  return {
    publish(hint) {
      local.publish(hint);
      waiting.set(JSON.stringify(hint), hint);
      sending ??= flush();
    },
    subscribe: local.subscribe,
    async close() {
      await sending;
      await carrier.close();
    },
  };
}

/** Whatever else is sent on the channel is not ours. */
function parse(line: string): { from: string; hints: Hint[] } {
  try {
    const { from, hints } = JSON.parse(line);
    const isHint = (hint: unknown) => typeof (hint as Hint | null)?.topic === "string";
    return { from: String(from), hints: Array.isArray(hints) ? hints.filter(isHint) : [] };
  } catch {
    return { from: "", hints: [] };
  }
}
