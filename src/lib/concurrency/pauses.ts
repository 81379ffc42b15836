import { throwIfAbandoned } from "./abandonment.ts";
import { nextTurn } from "./turns.ts";

/**
 * Called between the steps of a long computation: ends it if it was abandoned, and lets other work of the process run once in a
 * while.
 */
export type Pause = () => Promise<void>;

/** A request of another caller waits for several slices, because it continues in several iterations of the event loop. */
const defaultSliceMs = 1;
/** For the changes of an org, of which one runs at a time: shorter slices would make a large one take several times as long. */
export const changeSliceMs = 5;

export function makePause(sliceMs = defaultSliceMs): Pause {
  let began = performance.now();
  return async () => {
    throwIfAbandoned();
    if (performance.now() - began < sliceMs) return;
    await nextTurn();
    began = performance.now();
  };
}
