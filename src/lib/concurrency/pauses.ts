import { setImmediate } from "node:timers/promises";

/** Called between the steps of a long computation: lets other work of the process run once in a while. */
export type Pause = () => Promise<void>;

/** Well below the time that a request of another caller would notice. */
const defaultSliceMs = 20;

export function makePause(sliceMs = defaultSliceMs): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
