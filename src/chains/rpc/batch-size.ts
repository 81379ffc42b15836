import type { Clock } from "../../lib/clock.ts";
import type { RpcCall } from "./replies.ts";

/** How many calls go into one request to an endpoint: as many as it takes, and as fit in an answer of bearable size. */
export type BatchSize = {
  /** `atMost` so many a request: one that is more than the endpoint bears in a second would be refused for ever. */
  split(calls: readonly RpcCall[], maxCalls: number): RpcCall[][];
  /** The endpoint did not take so many: fewer for some time. Gives the new number. */
  shrink(from: number): number;
  /** What an answer weighed, so that the next is of the right size. */
  recordReplySize(calls: readonly RpcCall[], bytes: number): void;
};

const maxSize = 50;
const growIntervalMs = 5 * 60_000;
/** Parsing an answer holds everything else up; two megabytes take some ten milliseconds. */
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
