import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import { OperatorError } from "../operator-error.ts";
import { type Handlers, type MessageChannel, openChannel } from "./message-channel.ts";
import { stopDeadlines } from "./stop-deadlines.ts";

type Options = {
  name: string;
  /** Starts the process with a message channel. */
  spawn(): ChildProcess;
  log: Log;
  clock: Clock;
  handlers?: Handlers;
  /** The process loads its code at once and gets the message `start` after this. */
  mayStart?: Promise<unknown>;
  /** The content of that message. */
  startWith?(): unknown;
  /** Waits after the first, second… end in a row. */
  backoffMs?: readonly number[];
};

const defaultBackoffMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A process that ran for this long was healthy: the next wait is short again. */
const healthyMs = 60_000;

/** A process that runs a part of the service. It is started again when it ends. */
export class ChildService {
  readonly name: string;
  private readonly options: Options;
  private readonly stopping = new AbortController();
  private child: ChildProcess | undefined;
  private channel: MessageChannel | undefined;
  private running: Promise<void> | undefined;

  constructor(options: Options) {
    this.name = options.name;
    this.options = options;
  }

  /** Starts the process and returns what it reports when it is ready. Throws if it ends before; then it is not restarted. */
  async start(): Promise<unknown> {
    const { child, ready } = this.spawn();
    const report = await ready;
    this.running = this.keepAlive(child);
    return report;
  }

  /** Asks the process; undefined if it does not answer in time. */
  async request(kind: string, timeoutMs: number): Promise<unknown> {
    return this.channel?.request(kind, timeoutMs);
  }

  /** Tells the process something. */
  async notify(kind: string, content: unknown): Promise<void> {
    await this.channel?.notify(kind, content);
  }

  /** Stops the process and waits for its end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const { child } = this;
    if (child && isAlive(child)) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const { clock } = this.options;
      const timer = new AbortController();
      void clock
        .sleep(stopDeadlines.killMs, timer.signal)
        .then(() => isAlive(child) && child.kill("SIGKILL"));
      await ended;
      timer.abort();
    }
    await this.running;
  }

  /** Kills the process at once. */
  kill(): void {
    this.stopping.abort();
    this.child?.kill("SIGKILL");
  }

  private spawn(): { child: ChildProcess; ready: Promise<unknown> } {
    const { spawn, name, handlers, log } = this.options;
    const child = spawn();
    this.child = child;
    const { promise: ready, resolve, reject } = Promise.withResolvers<unknown>();
    // A restarted process is not waited for; its end is observed.
    ready.catch(() => undefined);
    child.once("exit", (code, signal) =>
      reject(new OperatorError(`The process ${name} ended during its start (${signal ?? `code ${code}`}).`)),
    );
    this.channel = openChannel(child, {
      ...handlers,
      ready: async (report) => resolve(report),
      failed: async (message) => {
        if (this.running) log.error({ process: name, reason: message }, "process failed to start");
        reject(new OperatorError(String(message)));
      },
    });
    void this.allow(this.channel);
    return { child, ready };
  }

  private async allow(channel: MessageChannel): Promise<void> {
    // If the promise is rejected, the owner stops the process.
    const { mayStart, startWith } = this.options;
    await mayStart?.then(
      () => channel.notify("start", startWith?.()),
      () => undefined,
    );
  }

  private async keepAlive(first: ChildProcess): Promise<void> {
    const { clock, log, name, backoffMs = defaultBackoffMs } = this.options;
    const { signal } = this.stopping;
    let child = first;
    for (let failures = 0; ; failures++) {
      const since = clock.now().getTime();
      if (isAlive(child)) await once(child, "exit");
      if (signal.aborted) return;
      if (clock.now().getTime() - since > healthyMs) failures = 0;
      const waitMs = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
      const { exitCode, signalCode } = child;
      log.error(
        { process: name, code: exitCode, signal: signalCode, wait_ms: waitMs },
        "process ended, restarting",
      );
      await clock.sleep(waitMs, signal);
      if (signal.aborted) return;
      child = this.spawn().child;
    }
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
