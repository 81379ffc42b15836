import { workerTask } from "../lib/concurrency/worker-pool.ts";
import type { Chain } from "./chain.ts";
import { familyOf } from "./families.ts";

/** Returns why an ABI or IDL cannot be used on a chain family; undefined if it can. */
export function findInterfaceProblem({
  kind,
  abi,
}: {
  kind: Chain["kind"];
  abi: unknown;
}): string | undefined {
  return familyOf({ kind }).findInterfaceProblem(abi);
}

export const findInterfaceProblemTask = workerTask(import.meta.url, findInterfaceProblem, 4_000);
