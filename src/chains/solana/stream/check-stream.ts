import type { Clock } from "../../../lib/clock.ts";
import type { StreamServer } from "../../family.ts";
import { toBase58 } from "../accounts/address.ts";
import { TransactionStream } from "./transaction-stream.ts";

const waitMs = 10_000;
/** An address that no transaction names, so that only blocks are sent. */
const unusedAddress = toBase58(new Uint8Array(32).fill(255));

/** Subscribes to a stream and returns the first slot that it sends. Rejects if none comes. */
export async function checkStream(server: StreamServer, clock: Clock): Promise<number> {
  const ended = new AbortController();
  const slot = new Promise<number>((resolve, reject) => {
    const stream = new TransactionStream({
      ...server,
      clock,
      onBlock: (block) => resolve(block.slot),
      onInterruption: (reason) => reject(new Error(`It cannot be subscribed to: ${reason}.`)),
    });
    stream.open({ signal: ended.signal, onActivity: () => undefined }).watch(new Set([unusedAddress]));
    const late = new Error(`It sent no block within ${waitMs / 1000} seconds.`);
    void clock.sleep(waitMs, ended.signal).then(() => reject(late));
  });
  return slot.finally(() => ended.abort());
}
