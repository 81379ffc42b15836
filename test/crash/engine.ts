import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order, Word } from "./engine-child.ts";

const entry = fileURLToPath(new URL("./engine-child.ts", import.meta.url));

/** An engine in a process of its own, as its parent sees it. */
export class Engine {
  private readonly child: ChildProcess;
  private readonly loaded: Promise<unknown>;
  readonly ended: Promise<unknown>;
  private startedAt = 0;
  /** From the order to the first commit; undefined until then. */
  recoveredMs: number | undefined;
  /** The points that it has passed, in order. */
  readonly passed: string[] = [];
  private readonly watchers = new Set<() => void>();

  constructor() {
    this.child = fork(entry, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    });
    this.loaded = once(this.child, "message");
    this.ended = once(this.child, "exit").then(() => this.wake());
    this.child.on("message", (word: Word) => this.hear(word));
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Gives the order and returns when the engine runs. */
  async start(order: Order): Promise<void> {
    await this.loaded;
    this.startedAt = performance.now();
    const running = once(this.child, "message");
    this.child.send(order);
    await Promise.race([running, this.ended]);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** Ends it as the service would be ended. */
  async stop(): Promise<void> {
    this.child.send("stop");
    await this.ended;
  }

  /** How often it has passed a point. */
  count(point: string): number {
    return this.passed.filter((one) => one === point).length;
  }

  /** Resolves with true once something is so, false when it is not after all that time. Looked at with every word. */
  async until(isSo: () => boolean, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (!isSo() && performance.now() < deadline) await this.nextWord(deadline - performance.now());
    return isSo();
  }

  private hear(word: Word): void {
    if (word.is !== "at") return;
    this.passed.push(word.point);
    if (word.point === "engine.after_commit") this.recoveredMs ??= performance.now() - this.startedAt;
    this.wake();
  }

  private wake(): void {
    for (const done of this.watchers) done();
    this.watchers.clear();
  }

  private async nextWord(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.watchers.add(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}
