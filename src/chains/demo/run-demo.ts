import { once } from "node:events";
import type { Clock } from "../../lib/clock.ts";
import type { Host } from "./node/methods.ts";
import { openChain, Producer } from "./node/producer.ts";
import { serveChain } from "./node/server.ts";
import { ChainStore } from "./node/store.ts";

/** The same for everyone, so that texts and pictures of the documentation are true. */
const seed = "tocsin";

export type RunningDemo = { stop(): Promise<void> };

/** Opens the demo chain of a folder, serves it on a loopback port, and makes blocks until it is stopped. */
export async function runDemo(folder: string, port: number, clock: Clock): Promise<RunningDemo> {
  const opening = openProducer(folder, clock);
  const server = serveChain(opening.then(hostOf));
  server.listen({ host: "127.0.0.1", port });
  await once(server, "listening");
  const producer = await opening;
  producer.start();
  return {
    async stop() {
      await producer.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openProducer(folder: string, clock: Clock): Promise<Producer> {
  const store = new ChainStore(folder);
  const producer = new Producer(await openChain(store, clock, { seed }), store, clock);
  await producer.produce();
  return producer;
}

function hostOf(producer: Producer): Host {
  return { chain: producer.chain, request: (name, delayBlocks) => producer.request(name, delayBlocks) };
}
