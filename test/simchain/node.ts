import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answering, answer, type Request } from "./answer.ts";
import { type Faults, noFaults } from "./faults.ts";
import { mixSeed, type SeededRandom, seededRandom } from "./random.ts";
import { type Sockets, serveSockets } from "./sockets.ts";
import { ancestorAt, type SimBlock, type Tree } from "./tree.ts";

/** What a node shows of the tree, and how it fails. */
export type View = {
  seed?: number;
  /** How many blocks it is behind the canonical tip. */
  lag?: number;
  faults?: Partial<Faults>;
  /** Methods it does not have, and the code it says so with. */
  without?: Record<string, number>;
  /** How many calls it takes at once; 1 refuses arrays. */
  maxBatch?: number;
  takesHashes?: boolean;
  rangeLimit?: Answering["rangeLimit"];
  refusesTrace?: Answering["refusesTrace"];
  /** That of the development node unless told. */
  chainId?: number;
  /** How long an answer that stalls takes. */
  stallMs?: number;
};

export type SimNode = {
  url: string;
  socketUrl: string;
  /** May be changed at any time. */
  faults: Faults;
  /** How far behind it is; may be changed at any time. */
  setLag(blocks: number): void;
  /** Holds it at a block, on whatever branch; undefined lets it follow the canonical tip again. */
  setTip(block: SimBlock | undefined): void;
  /** Every request so far, with its methods. */
  requests: string[][];
  sockets: Sockets;
  close(): Promise<void>;
};

/** Serves one view of a tree as a JSON-RPC node on the loopback interface. */
export async function makeNode(tree: Tree, view: View = {}): Promise<SimNode> {
  const faults: Faults = { ...noFaults(), ...view.faults };
  const requests: string[][] = [];
  const seen = new Map<string, number>();
  let pinned: SimBlock | undefined;
  let lag = view.lag ?? 0;

  /** The same request meets the same fate, as often as it was made before; whatever else was asked in between. */
  function chanceFor(text: string): SeededRandom {
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return seededRandom(mixSeed((view.seed ?? 0) + times * 7919, text));
  }

  function answering(): Answering {
    const tip = pinned ?? ancestorAt(tree.tip, Math.max(0, tree.tip.height - lag)) ?? tree.genesis;
    const { takesHashes = true, rangeLimit, refusesTrace, chainId = 31_337 } = view;
    return {
      tree,
      tip,
      faults,
      without: new Map(Object.entries(view.without ?? {})),
      takesHashes,
      rangeLimit,
      refusesTrace,
      chainId,
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Request | Request[] = JSON.parse(await textOf(request));
    const calls = Array.isArray(body) ? body : [body];
    requests.push(calls.map(({ method }) => method));
    const random = chanceFor(calls.map(({ method, params }) => method + JSON.stringify(params)).join());
    if (failHttp(response, faults, random)) return;
    if (random.chance(faults.stall)) await new Promise((resolve) => setTimeout(resolve, view.stallMs ?? 200));
    if (Array.isArray(body) && body.length > (view.maxBatch ?? 1000)) {
      return send(response, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "batch too large" },
      });
    }
    const node = answering();
    const answers = calls.map((one) => answer(one, node, chanceFor(one.method + JSON.stringify(one.params))));
    const reply = Array.isArray(body) ? disturbIds(answers, faults, random) : answers[0];
    send(response, reply, random.chance(faults.truncated));
  }

  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  const sockets = serveSockets(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/key-that-must-not-show`,
    socketUrl: `ws://127.0.0.1:${port}/`,
    faults,
    setLag(blocks) {
      lag = blocks;
    },
    setTip(block) {
      pinned = block;
    },
    requests,
    sockets,
    async close() {
      sockets.closeAll();
      // Closed to newcomers first: one that came in between would keep it open for ever.
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Whether the request came to nothing. */
function failHttp(response: ServerResponse, faults: Faults, random: SeededRandom): boolean {
  const html = "<html><body>Bad gateway</body></html>";
  if (random.chance(faults.too_many)) response.writeHead(429).end("slow down");
  else if (random.chance(faults.too_many_retry_after)) response.writeHead(429, { "retry-after": "1" }).end();
  else if (random.chance(faults.server_error)) response.writeHead(500).end("oops");
  else if (random.chance(faults.html)) response.writeHead(200, { "content-type": "text/html" }).end(html);
  return response.writableEnded;
}

function disturbIds(answers: object[], faults: Faults, random: SeededRandom): object[] {
  const first = answers[0];
  if (first && answers.length > 1 && random.chance(faults.doubled_id))
    return [...answers.slice(0, -1), first];
  if (random.chance(faults.lost_id)) return answers.slice(1);
  return random.chance(faults.shuffled) ? answers.toReversed() : answers;
}

function send(response: ServerResponse, reply: unknown, isTruncated = false): void {
  const text = JSON.stringify(reply);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isTruncated ? text.slice(0, Math.floor(text.length / 2)) : text);
}
