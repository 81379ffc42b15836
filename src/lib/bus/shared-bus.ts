import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { type Bus, type Hint, makeLocalBus } from "./bus.ts";

/** Transports lines of text between processes. Lines may be lost: listeners also poll. */
export type BusTransport = {
  send(line: string): Promise<void>;
  /** Calls the listener with every line of every process. */
  listen(listener: (line: string) => void): void;
  close(): Promise<void>;
};

/** Hints are batched, since many are equal. */
const batchMs = 10;
/** NOTIFY accepts 8,000 bytes. */
const maxBatch = 50;

/** A bus between processes. Local listeners are called immediately, remote ones after the batch. */
export function makeSharedBus(transport: BusTransport, clock: Clock): Bus & { close(): Promise<void> } {
  const local = makeLocalBus();
  const self = randomUUID().slice(0, 8);
  const waiting = new Map<string, Hint>();
  let sending: Promise<void> | undefined;

  transport.listen((line) => {
    const { from, hints } = parse(line);
    if (from !== self) for (const hint of hints) local.publish(hint);
  });
  const flush = async () => {
    await clock.sleep(batchMs);
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, maxBatch);
      for (const [name] of batch) waiting.delete(name);
      const hints = batch.map(([, hint]) => hint);
      await transport.send(JSON.stringify({ from: self, hints })).catch(() => undefined);
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
      await transport.close();
    },
  };
}

/** Lines of other senders on the channel are ignored. */
function parse(line: string): { from: string; hints: Hint[] } {
  try {
    const { from, hints } = JSON.parse(line);
    const isHint = (hint: unknown) => typeof (hint as Hint | null)?.topic === "string";
    return { from: String(from), hints: Array.isArray(hints) ? hints.filter(isHint) : [] };
  } catch {
    return { from: "", hints: [] };
  }
}
