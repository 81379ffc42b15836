import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { runInSlices, type Steps } from "../../lib/concurrency/steps.ts";
import type { Offload, WorkerTask } from "../../lib/concurrency/worker-pool.ts";
import { AbiProblem, type Read } from "./abi-problem.ts";

/** How ABIs or IDLs are checked in a thread, and compiled from what the thread returns. */
type Packing<Interface, Packed> = {
  task: WorkerTask<unknown, Read<{ packed: Packed }>>;
  /** The work of the task in steps. */
  steps(stored: unknown): Steps<Packed>;
  unpack(packed: Packed): Interface;
  /** For a contract without an interface, or with one that cannot be used. */
  unusable: Interface;
};

/** The total length of the cached interfaces as JSON. */
const maxCharacters = 32_000_000;
/** A shorter interface is checked in a few milliseconds, which is less than a thread needs to start. */
const maxInlineCharacters = 16_384;

/** Makes a function that compiles ABIs or IDLs from the database. They are cached, because many contracts share one. */
export function makeStoredInterfaces<Interface extends object, Packed>({
  task,
  steps,
  unpack,
  unusable,
}: Packing<Interface, Packed>): (stored: unknown, offload: Offload) => Promise<Interface> {
  const compiled = new LRUCache<string, Interface>({ maxSize: maxCharacters });
  const compiling = new Map<string, Promise<Interface>>();

  /** Undefined if it cannot be used. */
  async function pack(json: string, stored: unknown, offload: Offload): Promise<Packed | undefined> {
    if (json.length <= maxInlineCharacters) return packInSlices(stored);
    try {
      const read = await offload(task, typeof stored === "string" ? stored : json);
      return read.ok ? read.packed : undefined;
    } catch {
      // The pool is full, closed or too slow now. A contract without its interface would lose alerts.
      return packInSlices(stored);
    }
  }

  async function packInSlices(stored: unknown): Promise<Packed | undefined> {
    await setImmediate();
    return runInSlices(steps(stored)).catch((error: unknown) => {
      if (error instanceof AbiProblem) return undefined;
      throw error;
    });
  }

  async function compile(json: string, stored: unknown, key: string, offload: Offload): Promise<Interface> {
    const packed = await pack(json, stored, offload);
    const found = packed ? unpack(packed) : unusable;
    compiled.set(key, found, { size: json.length });
    return found;
  }

  return async (stored, offload) => {
    if (stored === null || stored === undefined) return unusable;
    const json = JSON.stringify(stored);
    const key = createHash("sha256").update(json).digest("base64");
    const known = compiled.get(key) ?? compiling.get(key);
    if (known) return known;
    const pending = compile(json, stored, key, offload);
    compiling.set(key, pending);
    return pending.finally(() => compiling.delete(key));
  };
}
