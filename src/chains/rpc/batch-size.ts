import type { Clock } from "../../lib/clock.ts";
import type { RpcCall } from "./replies.ts";

/** The number of calls per request to one endpoint, limited by what it accepts and by the expected size of the reply. */
export type BatchSize = {
  /** Splits calls into requests of at most `maxCalls`: more than the rate per second would be rejected every time. */
  split(calls: readonly RpcCall[], maxCalls: number): RpcCall[][];
  /** Reduces the size for some time, after the endpoint rejected `from` calls. Returns the new size. */
  shrink(from: number): number;
  /** Records the size of a reply, to estimate the next one. */
  recordReplySize(calls: readonly RpcCall[], bytes: number): void;
};

const maxSize = 50;
const growIntervalMs = 5 * 60_000;
/** Parsing blocks the event loop; two megabytes take about ten milliseconds. */
const maxReplyBytes = 2 * 1024 * 1024;
const defaultBytesPerCall = 64 * 1024;

export function makeBatchSize(clock: Clock): BatchSize {
  const nowMs = () => clock.now().getTime();
  const bytesPerCall = new Map<string, number>();
  let size = maxSize;
  let changedAt = nowMs();

  function grow(): void {
    if (size === maxSize || Math.abs(nowMs() - changedAt) < growIntervalMs) return;
    size = Math.min(maxSize, size * 2);
    changedAt = nowMs();
  }

  return {
    split(calls, maxCalls) {
      grow();
      const maxLength = Math.max(1, Math.min(size, Math.floor(maxCalls)));
      const batches: RpcCall[][] = [];
      let remainingBytes = 0;
      for (const call of calls) {
        const bytes = bytesPerCall.get(call.method) ?? defaultBytesPerCall;
        const batch = batches.at(-1);
        if (batch && batch.length < maxLength && bytes <= remainingBytes) batch.push(call);
        else {
          batches.push([call]);
          remainingBytes = maxReplyBytes;
        }
        remainingBytes -= bytes;
      }
      return batches;
    },
    shrink(from) {
      size = Math.max(1, Math.floor(from / 4));
      changedAt = nowMs();
      return size;
    },
    recordReplySize(calls, bytes) {
      const method = calls[0]?.method;
      if (!method) return;
      const each = bytes / calls.length;
      bytesPerCall.set(method, 0.7 * (bytesPerCall.get(method) ?? each) + 0.3 * each);
    },
  };
}
