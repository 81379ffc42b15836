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

/** The same for JSON text, which is copied to a thread much faster than an object with many fields. */
export function findProblemInJson({ kind, json }: { kind: Chain["kind"]; json: string }): string | undefined {
  return findInterfaceProblem({ kind, abi: JSON.parse(json) });
}

export const findProblemInJsonTask = workerTask("src/chains/interface-problem.ts", findProblemInJson, 4_000);
