import type { Clock } from "../../lib/clock.ts";
import type { RpcCall } from "./replies.ts";

/** How many calls go into one request to an endpoint: as many as it takes, and as fit in an answer of bearable size. */
export type BatchSize = {
  /** `atMost` so many a request: one that is more than the endpoint bears in a second would be refused for ever. */
  split(calls: readonly RpcCall[], atMost: number): RpcCall[][];
  /** The endpoint did not take so many: fewer for some time. Gives the new number. */
  shrink(from: number): number;
  /** What an answer weighed, so that the next is of the right size. */
  weigh(calls: readonly RpcCall[], bytes: number): void;
};

const most = 50;
const regrowMs = 5 * 60_000;
/** Parsing an answer holds everything else up; two megabytes take some ten milliseconds. */
const maxReplyBytes = 2 * 1024 * 1024;
const presumedBytes = 64 * 1024;

export function makeBatchSize(clock: Clock): BatchSize {
  const nowMs = () => clock.now().getTime();
  const weights = new Map<string, number>();
  let size = most;
  let shrunkAt = nowMs();

  function regrow(): void {
    if (size === most || Math.abs(nowMs() - shrunkAt) < regrowMs) return;
    size = Math.min(most, size * 2);
    shrunkAt = nowMs();
  }

  return {
    split(calls, atMost) {
      regrow();
      const longest = Math.max(1, Math.min(size, Math.floor(atMost)));
      const batches: RpcCall[][] = [];
      let room = 0;
      for (const call of calls) {
        const bytes = weights.get(call.method) ?? presumedBytes;
        const batch = batches.at(-1);
        if (batch && batch.length < longest && bytes <= room) batch.push(call);
        else {
          batches.push([call]);
          room = maxReplyBytes;
        }
        room -= bytes;
      }
      return batches;
    },
    shrink(from) {
      size = Math.max(1, Math.floor(from / 4));
      shrunkAt = nowMs();
      return size;
    },
    weigh(calls, bytes) {
      const method = calls[0]?.method;
      if (!method) return;
      const each = bytes / calls.length;
      weights.set(method, 0.7 * (weights.get(method) ?? each) + 0.3 * each);
    },
  };
}
