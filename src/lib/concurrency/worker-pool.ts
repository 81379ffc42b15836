import { availableParallelism } from "node:os";
import type { Piscina } from "piscina";
import { locateEntry } from "../process/installation.ts";
import { makeFairQueue } from "./fair-queue.ts";

/** Work whose cost a caller controls. It runs in a thread of its own, which is ended at the deadline. */
export type WorkerTask<Input, Output> = {
  /** The path of its module in the repository. */
  path: string;
  name: string;
  deadlineMs: number;
  /** The function that the thread calls. */
  handler(input: Input): Output | Promise<Output>;
};

/** Runs tasks in worker threads. Input and output are copied, except shared memory, so they must be plain data. */
export type WorkerPool = {
  /** Throws `WorkLimitExceeded` at the deadline or if the task needs too much memory, and as a fair queue does. */
  run<Input, Output>(task: WorkerTask<Input, Output>, owner: string, input: Input): Promise<Output>;
  counts(): { running: number; queued: number; threads: number };
  close(): Promise<void>;
};

/** Runs a task in a worker thread for one owner. */
export type Offload = <Input, Output>(task: WorkerTask<Input, Output>, input: Input) => Promise<Output>;

export function offloadFor(workers: WorkerPool, owner: string): Offload {
  return (task, input) => workers.run(task, owner, input);
}

/** For work that is in a worker thread already. */
export const runHere: Offload = async (task, input) => task.handler(input);

/** Defines a task by the path of its module in the repository, which the thread loads, and an exported function of that module. */
export function workerTask<Input, Output>(
  path: string,
  handler: (input: Input) => Output | Promise<Output>,
  deadlineMs: number,
): WorkerTask<Input, Output> {
  return { path, name: handler.name, deadlineMs, handler };
}

/** For owners that used the threads little lately. */
const spareThreads = 1;
/** Enough for the largest input that is accepted; a task that needs more is ended. */
const defaultHeapMegabytes = 256;
const idleMs = 60_000;
/** The times of its deadline that a task may take if it has to wait for a core. */
const defaultMaxDelayFactor = 5;
/**
 * On a busy machine the event loop gets a core before the threads do. Without effect where threads have no priority of their
 * own.
 */
const niceIncrement = 10;

/** `locate` returns the file of a module that a thread loads. */
export function makeWorkerPool({
  maxWaitMs = 4_000,
  heapMegabytes = defaultHeapMegabytes,
  locate = locateEntry,
  maxDelayFactor = defaultMaxDelayFactor,
  burstMs = 2_000,
} = {}): WorkerPool {
  const threads = Math.max(2, availableParallelism() - 1);
  // One owner never gets all threads, and several with long tasks leave one, so that a task of another owner starts at once.
  const queue = makeFairQueue({
    maxRunning: threads + spareThreads,
    maxRunningPerOwner: Math.ceil(threads / 2),
    leavesRoom: true,
    reserved: spareThreads,
    burstMs,
    maxQueued: 200,
    maxQueuedPerOwner: 16,
    maxWaitMs,
  });
  let opening: Promise<Piscina> | undefined;
  let pool: Piscina | undefined;
  const open = () => {
    opening ??= openThreads(threads + spareThreads, heapMegabytes).then((opened) => {
      pool = opened;
      return opened;
    });
    return opening;
  };
  return {
    run: (task, owner, input) =>
      queue.run(owner, async () => {
        const limited = { ...task, maxMs: maxDelayFactor * task.deadlineMs };
        return runTask(await open(), limited, locate(task.path), input);
      }),
    counts: () => ({ ...queue.counts(), threads: pool?.threads.length ?? 0 }),
    async close() {
      await (await opening)?.destroy();
      opening = undefined;
      pool = undefined;
    },
  };
}

/** Loads the library with the first task, because most processes have none. */
async function openThreads(threads: number, heapMegabytes: number): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  return new Piscina({
    ...{ minThreads: 0, maxThreads: threads, idleTimeout: idleMs, recordTiming: false, niceIncrement },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 64 },
  });
}

async function runTask<Input, Output>(
  pool: Piscina,
  { name, deadlineMs, maxMs }: WorkerTask<Input, Output> & { maxMs: number },
  filename: string,
  input: Input,
): Promise<Output> {
  const deadline = startDeadline(deadlineMs, maxMs);
  const { signal } = deadline;
  try {
    return (await pool.run(input, { filename, name, signal })) as Output;
  } catch (error) {
    if (signal.aborted) throw new WorkLimitExceeded("time", deadlineMs, { cause: error });
    if (isOutOfMemory(error)) throw new WorkLimitExceeded("memory", deadlineMs, { cause: error });
    throw error;
  } finally {
    deadline.clear();
  }
}

/**
 * Aborts when a task had its time. A thread of a busy machine waits for a core, which does not count: the processor time of the
 * whole process is at least that of the thread.
 */
function startDeadline(deadlineMs: number, maxMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const check = () => {
    const elapsedMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(before);
    const usedMs = Math.min((user + system) / 1000, elapsedMs);
    const remainingMs = Math.min(deadlineMs - usedMs, maxMs - elapsedMs);
    if (remainingMs <= 0) return controller.abort();
    timer = setTimeout(check, Math.ceil(remainingMs));
  };
  let timer = setTimeout(check, deadlineMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A task exceeded its deadline or its memory limit. The same input would exceed it again. */
export class WorkLimitExceeded extends Error {
  override name = "WorkLimitExceeded";
  readonly limit: "time" | "memory";

  constructor(limit: "time" | "memory", deadlineMs: number, options: { cause: unknown }) {
    super(
      limit === "time"
        ? `takes more than ${deadlineMs / 1000} seconds to process`
        : "needs too much memory to process",
      options,
    );
    this.limit = limit;
  }
}
