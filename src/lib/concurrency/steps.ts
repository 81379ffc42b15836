import { nextTurn } from "./turns.ts";

/** Work in small steps. At each `yield`, other work of the process may run. */
export type Steps<Result> = Generator<void, Result, void>;

/** The time after which other work of the process has a turn. */
const sliceMs = 1;

/** Runs all steps without a pause, for threads and for small inputs. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps with other work of the process between slices of them. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const startedAt = performance.now();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() - startedAt < sliceMs);
    await nextTurn();
  }
}
