import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { makeFairQueue } from "./fair-queue.ts";

/** Work whose cost a caller controls. It runs in a thread of its own, which is ended at the deadline. */
export type WorkerTask<Input, Output> = {
  file: string;
  name: string;
  deadlineMs: number;
  /** Never called here; it connects the types of input and output. */
  handler(input: Input): Output | Promise<Output>;
};

/** Runs tasks in worker threads. Input and output are copied, so they must be plain data. */
export type WorkerPool = {
  /** Throws `WorkLimitExceeded` at the deadline or if the task needs too much memory, and as a fair queue does. */
  run<Input, Output>(task: WorkerTask<Input, Output>, owner: string, input: Input): Promise<Output>;
  counts(): { running: number; queued: number; threads: number };
  close(): Promise<void>;
};

/** Runs a task in a worker thread for one owner. */
export type Offload = <Input, Output>(task: WorkerTask<Input, Output>, input: Input) => Promise<Output>;

/** Defines a task by the address of its module, which the thread loads, and an exported function of that module. */
export function workerTask<Input, Output>(
  moduleUrl: string,
  handler: (input: Input) => Output | Promise<Output>,
  deadlineMs: number,
): WorkerTask<Input, Output> {
  return { file: fileURLToPath(moduleUrl), name: handler.name, deadlineMs, handler };
}

/** Enough for the largest input that is accepted; a task that needs more is ended. */
const defaultHeapMegabytes = 256;
const idleMs = 60_000;

export function makeWorkerPool({ maxWaitMs = 4_000, heapMegabytes = defaultHeapMegabytes } = {}): WorkerPool {
  const threads = Math.max(2, availableParallelism() - 1);
  // One owner never gets all threads, so that a task of another owner starts at once.
  const queue = makeFairQueue({
    maxRunning: threads,
    maxRunningPerOwner: Math.ceil(threads / 2),
    maxQueued: 200,
    maxQueuedPerOwner: 16,
    maxWaitMs,
  });
  let pool: Piscina | undefined;
  const open = () => {
    pool ??= new Piscina({
      ...{ minThreads: 0, maxThreads: threads, idleTimeout: idleMs, recordTiming: false },
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 64 },
    });
    return pool;
  };
  return {
    run: (task, owner, input) => queue.run(owner, () => runTask(open(), task, input)),
    counts: () => ({ ...queue.counts(), threads: pool?.threads.length ?? 0 }),
    async close() {
      await pool?.destroy();
      pool = undefined;
    },
  };
}

async function runTask<Input, Output>(
  pool: Piscina,
  { file, name, deadlineMs }: WorkerTask<Input, Output>,
  input: Input,
): Promise<Output> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    return (await pool.run(input, { filename: file, name, signal })) as Output;
  } catch (error) {
    if (signal.aborted) throw new WorkLimitExceeded("time", deadlineMs, { cause: error });
    if (isOutOfMemory(error)) throw new WorkLimitExceeded("memory", deadlineMs, { cause: error });
    throw error;
  }
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
