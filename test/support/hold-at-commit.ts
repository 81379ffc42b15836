import type { Harness } from "./harness.ts";

/** A request whose transaction is open until `commit` is called. */
export type OpenChange<Reply> = { reply: Promise<Reply>; commit(): void };

/** Sends a request that changes something, and returns once its first transaction has only to be committed. */
export async function holdAtCommit<Reply>(
  h: Harness,
  request: () => Promise<Reply>,
): Promise<OpenChange<Reply>> {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { faults } = h.app;
  h.app.faults = {
    hit: async (point) => {
      if (point !== "write.before_commit") return;
      h.app.faults = faults;
      reached.resolve();
      await release.promise;
    },
  };
  const reply = request();
  await Promise.race([reached.promise, reply]);
  return { reply, commit: release.resolve };
}
