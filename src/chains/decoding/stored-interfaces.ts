import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { runInSlices, type Steps } from "../../lib/concurrency/steps.ts";
import { AbiProblem } from "./abi-problem.ts";

/** The total length of the cached interfaces as JSON; compiled they need several times as much memory. */
const maxCharacters = 32_000_000;

/**
 * Makes a function that compiles ABIs or IDLs from the database. The largest one takes half a second, so it is compiled in
 * slices, and cached, because many contracts share one. One that cannot be used becomes `unusable`.
 */
export function makeStoredInterfaces<Interface extends object>(
  compile: (stored: unknown) => Steps<Interface>,
  unusable: Interface,
): (stored: unknown) => Promise<Interface> {
  const compiled = new LRUCache<string, Interface>({ maxSize: maxCharacters });
  const compiling = new Map<string, Promise<Interface>>();

  async function compileInSlices(stored: unknown, key: string, size: number): Promise<Interface> {
    await setImmediate();
    const found = await runInSlices(compile(stored)).catch((error: unknown) => {
      if (error instanceof AbiProblem) return unusable;
      throw error;
    });
    compiled.set(key, found, { size });
    return found;
  }

  return async (stored) => {
    if (stored === null || stored === undefined) return unusable;
    const json = JSON.stringify(stored);
    const key = createHash("sha256").update(json).digest("base64");
    const known = compiled.get(key) ?? compiling.get(key);
    if (known) return known;
    const pending = compileInSlices(stored, key, json.length);
    compiling.set(key, pending);
    return pending.finally(() => compiling.delete(key));
  };
}
