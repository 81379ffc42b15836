import type { Clock } from "../../lib/clock.ts";
import type { Answer } from "./node/listen.ts";
import { openChain, Producer } from "./node/producer.ts";
import { answerFor } from "./node/server.ts";
import { ChainStore } from "./node/store.ts";

/** The same for everyone, so that texts and pictures of the documentation are true. */
const seed = "tocsin";

export type RunningDemo = { answer: Answer; stop(): Promise<void> };

/** Opens the demo chain of a folder, and makes blocks until it is stopped. */
export async function runDemo(folder: string, clock: Clock): Promise<RunningDemo> {
  const store = new ChainStore(folder);
  const producer = new Producer(await openChain(store, clock, { seed }), store, clock);
  await producer.produce();
  producer.start();
  const { chain } = producer;
  const answer = answerFor({ chain, request: (name, delayBlocks) => producer.request(name, delayBlocks) });
  return { answer, stop: () => producer.stop() };
}
