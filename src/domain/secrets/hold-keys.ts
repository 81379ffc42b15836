import { type App, newId } from "../../app.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import type { KeyRing } from "../../store/secrets/key-ring.ts";
import { recordHolder, removeHolder } from "../../store/secrets/secret-keys.ts";

/** A process that was not seen for this time does not hold up a rotation. */
export const holderAliveSeconds = 45;
const pollMs = 15_000;

/** The topic of the hint that the keys changed. */
export const keysChanged = "secrets.changed";

/**
 * Keeps the keys of this process up to date and tells rotations which key it uses, until stopped. `keep` gets the active key
 * before a rotation may delete the one that this process was started with.
 */
export function holdKeys(
  app: App,
  ring: KeyRing,
  keep: (key: Buffer) => Promise<void> = async () => undefined,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const process_id = newId(app);
  const onError = (error: unknown) => app.log.error({ err: error }, "secrets keys could not be reloaded");
  const wakeOn = { bus: app.bus, topic: keysChanged };
  const loop = { clock: app.clock, signal: stopping.signal, intervalMs: pollMs, wakeOn, onError };
  const running = runEvery(loop, async () => {
    await ring.reload();
    await keep(ring.active().key);
    await recordHolder(app.db, process_id, ring.active().keyId);
  });
  return {
    async stop() {
      stopping.abort();
      await running;
      await removeHolder(app.db, process_id).catch(() => undefined);
    },
  };
}
