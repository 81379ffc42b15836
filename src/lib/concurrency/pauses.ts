import { setImmediate } from "node:timers/promises";
import { throwIfAbandoned } from "./abandonment.ts";

/** Called between the steps of a long computation: ends it if it was abandoned, and lets other work of the process run once in a while. */
export type Pause = () => Promise<void>;

/** Well below the time that a request of another caller would notice. */
const defaultSliceMs = 20;

export function makePause(sliceMs = defaultSliceMs): Pause {
  let began = performance.now();
  return async () => {
    throwIfAbandoned();
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
