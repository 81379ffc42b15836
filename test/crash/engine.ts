import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundledChild } from "../support/bundle.ts";
import type { Order, Word } from "./engine-child.ts";

/** The parent's handle of an engine in a separate process. */
export class Engine {
  private readonly child: ChildProcess;
  private readonly loaded: Promise<unknown>;
  readonly ended: Promise<unknown>;
  private startedAt = 0;
  /** The time from the order to the first commit; undefined before. */
  recoveredMs: number | undefined;
  /** The fault points that it has passed, in order. */
  readonly passed: string[] = [];
  private readonly watchers = new Set<() => void>();

  constructor() {
    this.child = fork(bundledChild("test/crash/engine-child.ts"), {
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

  /** Sends the order and resolves when the engine runs. */
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

  /** Stops it gracefully, like the service. */
  async stop(): Promise<void> {
    this.child.send("stop");
    await this.ended;
  }

  /** Returns how often it has passed a fault point. */
  count(point: string): number {
    return this.passed.filter((one) => one === point).length;
  }

  /** Resolves with true once the condition holds and with false at the timeout. Checked at every message. */
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
