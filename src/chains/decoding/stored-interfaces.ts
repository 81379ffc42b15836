import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import { makeWeakValues } from "../../lib/caching/weak-values.ts";
import { runInSlices, type Steps } from "../../lib/concurrency/steps.ts";
import type { Offload, WorkerTask } from "../../lib/concurrency/worker-pool.ts";
import { AbiProblem, type Read } from "./abi-problem.ts";

/** An ABI or IDL. Those with the same key have the same content, so that it is read from the database once. */
export type StoredInterface = { key?: string; load(): Promise<LoadedInterface> };

/** The content with its own key, because it may have changed since the key was read. */
export type LoadedInterface = { key?: string; content: unknown };

/** An ABI or IDL that is in memory already; null if there is none. */
export function givenInterface(content: unknown): StoredInterface | null {
  if (content === null || content === undefined) return null;
  return { load: () => Promise.resolve({ content }) };
}

/** How ABIs or IDLs are checked in a thread, and compiled from what the thread returns. */
type Packing<Interface, Packed> = {
  task: WorkerTask<unknown, Read<{ packed: Packed }>>;
  /** The work of the task in steps. */
  steps(stored: unknown): Steps<Packed>;
  unpack(packed: Packed): Interface;
  /** For a contract without an interface, or with one that cannot be used. */
  unusable: Interface;
};

/** The total length of the interfaces as JSON that stay in memory although no contract uses them. */
const maxCharacters = 32_000_000;
/** Contents are found by their keys without reading them. */
const maxKeys = 200_000;
/** A shorter interface is checked in a few milliseconds, which is less than a thread needs to start. */
const maxInlineCharacters = 16_384;

/** Makes a function that compiles ABIs or IDLs from the database. They are cached, because many contracts share one. */
export function makeStoredInterfaces<Interface extends object, Packed>({
  task,
  steps,
  unpack,
  unusable,
}: Packing<Interface, Packed>): (stored: StoredInterface | null, offload: Offload) => Promise<Interface> {
  const recent = new LRUCache<string, Interface>({ maxSize: maxCharacters });
  const inUse = makeWeakValues<Interface>();
  // It allocates for every key at once, which most processes never need.
  const digests = onFirstUse(() => new LRUCache<string, string>({ max: maxKeys }));
  const compiling = new Map<string, Promise<Interface>>();

  function findCompiled(digest: string | undefined): Interface | Promise<Interface> | undefined {
    if (digest === undefined) return undefined;
    return recent.get(digest) ?? inUse.get(digest) ?? compiling.get(digest);
  }

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

  async function compile(
    json: string,
    stored: unknown,
    digest: string,
    offload: Offload,
  ): Promise<Interface> {
    const packed = await pack(json, stored, offload);
    const unpacked = packed ? unpack(packed) : unusable;
    recent.set(digest, unpacked, { size: json.length });
    inUse.set(digest, unpacked);
    return unpacked;
  }

  return async (reference, offload) => {
    if (!reference) return unusable;
    const cached = findCompiled(reference.key && digests().get(reference.key));
    if (cached) return cached;
    const { key, content: stored } = await reference.load();
    if (stored === null || stored === undefined) return unusable;
    const json = JSON.stringify(stored);
    const digest = createHash("sha256").update(json).digest("base64");
    if (key !== undefined) digests().set(key, digest);
    const known = findCompiled(digest);
    if (known) return known;
    const pending = compile(json, stored, digest, offload);
    compiling.set(digest, pending);
    return pending.finally(() => compiling.delete(digest));
  };
}
