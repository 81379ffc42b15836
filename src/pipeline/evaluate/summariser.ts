import type { WatchedTarget } from "../watch/watch-list.ts";
import type { Summarise } from "./aggregate.ts";

/** Returns the function with which a target's meter summarises a window; undefined when it has none. */
export function summariserOf({
  target: { meter, config },
}: {
  target: Pick<WatchedTarget, "meter" | "config">;
}): Summarise | undefined {
  return meter.summarise && ((window) => meter.summarise?.(config, window) ?? null);
}
