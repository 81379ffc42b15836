import type { Clock } from "../../../lib/clock.ts";
import type { IncidentName } from "../story/incidents.ts";
import { reorgEvery } from "../story/story.ts";
import { DemoChain, type Step } from "./chain.ts";
import type { ChainStore } from "./store.ts";

const blockSeconds = 2;
/** The past of a new chain: three hours, in blocks of nine seconds so that it is made quickly. */
const past = { blocks: 1_200, blockSeconds: 9 };
/** Blocks between two snapshots of the chain: ten minutes. */
const saveEvery = 300;
/** A gap that is longer than this many blocks is not filled: the chain was stopped with the service. */
const maxFilledBlocks = 30;

/** More incidents than these are not waited for. */
const maxRequested = 8;

/** Opens the chain of a folder, or makes a new one with its past. */
export async function openChain(
  store: ChainStore,
  clock: Clock,
  { seed, pastBlocks = past.blocks }: { seed: string; pastBlocks?: number },
): Promise<DemoChain> {
  const saved = await store.load();
  if (saved) return saved;
  const now = Math.floor(clock.now().getTime() / 1000);
  const time = now - pastBlocks * past.blockSeconds;
  const chain = await DemoChain.open({ seed, time, startsAt: pastBlocks });
  for (let made = 1; made <= pastBlocks; made++)
    await chain.advance({ time: time + made * past.blockSeconds, branch: 0 });
  await store.save(chain);
  return chain;
}

/** Makes a block every two seconds. */
export class Producer {
  readonly chain: DemoChain;
  private readonly store: ChainStore;
  private readonly clock: Clock;
  private readonly stopping = new AbortController();
  private requested: { name: IncidentName; height: number }[] = [];
  private running: Promise<void> | undefined;

  constructor(chain: DemoChain, store: ChainStore, clock: Clock) {
    this.chain = chain;
    this.store = store;
    this.clock = clock;
  }

  start(): void {
    this.running = this.run();
  }

  /** Has an incident begin with the next block, or some blocks later. */
  request(name: IncidentName, delayBlocks = 0): void {
    if (this.requested.length < maxRequested)
      this.requested.push({ name, height: this.chain.head.height + 1 + delayBlocks });
  }

  /** Stops, and saves the chain. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.store.save(this.chain);
  }

  /** Makes the blocks that are due. */
  async produce(): Promise<void> {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const behind = Math.floor((now - this.chain.head.time) / blockSeconds);
    const first = behind > maxFilledBlocks ? now : this.chain.head.time + blockSeconds;
    for (let time = first; time <= now; time += blockSeconds) await this.makeBlock(time);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.produce();
      const waitMs = (this.chain.head.time + blockSeconds) * 1000 - this.clock.now().getTime();
      await this.clock.sleep(Math.max(waitMs, 50), signal);
    }
  }

  private async makeBlock(time: number): Promise<void> {
    const { head } = this.chain;
    // Now and then, the newest block is replaced by another one, on which the next one is built.
    if (head.height % reorgEvery === 0) await this.step({ time: head.time, branch: 1, isReplaced: true });
    const request = this.dequeueRequest(head.height + 1);
    await this.step({ time, branch: 0, ...(request && { request }) });
    if (this.chain.head.height % saveEvery === 0) await this.store.save(this.chain);
  }

  private dequeueRequest(height: number): IncidentName | undefined {
    const index = this.requested.findIndex((request) => request.height <= height);
    return index === -1 ? undefined : this.requested.splice(index, 1)[0]?.name;
  }

  private async step(step: Step): Promise<void> {
    const { height } = await this.chain.advance(step);
    await this.store.add(height, step);
  }
}
