import { setTimeout } from "node:timers/promises";
import { threadId } from "node:worker_threads";

/** Tasks for the tests of the worker pool. */
export function threadOf(input: { echo?: unknown[] }) {
  return { threadId, ...input };
}

export function spin(): never {
  for (;;);
}

export function allocate(): number {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 1_000 }, (_, index) => `${index} ${kept.length}`));
}

export function fail(): never {
  throw new Error("broken");
}

export async function rest(ms: number): Promise<void> {
  await setTimeout(ms);
}
