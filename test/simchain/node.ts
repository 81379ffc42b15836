import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../support/listen.ts";
import { type NodeContext, type Request, replyTo } from "./answer.ts";
import { type Faults, noFaults } from "./faults.ts";
import { mixSeed, type SeededRandom, seededRandom } from "./random.ts";
import { type Sockets, serveSockets } from "./sockets.ts";
import { ancestorAt, type SimBlock, type Tree } from "./tree.ts";

/** The part of the tree that a node serves, and its faults. */
export type View = {
  seed?: number;
  /** The number of blocks that it lags behind the canonical tip. */
  lag?: number;
  faults?: Partial<Faults>;
  /** Unsupported methods, with the error code that the node returns. */
  without?: Record<string, number>;
  /** The maximum number of calls per batch; with 1 it rejects batches. */
  maxBatch?: number;
  acceptsHashes?: boolean;
  rangeLimit?: NodeContext["rangeLimit"];
  rejectsTrace?: NodeContext["rejectsTrace"];
  /** The id of a development node by default. */
  chainId?: number;
  /** The delay of a reply that stalls. */
  stallMs?: number;
};

export type SimNode = {
  url: string;
  socketUrl: string;
  /** May be changed at any time. */
  faults: Faults;
  /** Changes the lag; may be called at any time. */
  setLag(blocks: number): void;
  /** Pins the node to a block of any branch; undefined makes it follow the canonical tip again. */
  setTip(block: SimBlock | undefined): void;
  /** The methods of every request so far. */
  requests: string[][];
  sockets: Sockets;
  close(): Promise<void>;
};

/** Serves one view of a tree as a JSON-RPC node on the loopback interface. */
export async function makeNode(tree: Tree, view: View = {}): Promise<SimNode> {
  const faults: Faults = { ...noFaults(), ...view.faults };
  const requests: string[][] = [];
  const repeats = new Map<string, number>();
  let pinned: SimBlock | undefined;
  let lag = view.lag ?? 0;

  /** The n-th repetition of a request has the same faults in every run, whatever other requests came between. */
  function randomFor(text: string): SeededRandom {
    const times = repeats.get(text) ?? 0;
    repeats.set(text, times + 1);
    return seededRandom(mixSeed((view.seed ?? 0) + times * 7919, text));
  }

  function context(): NodeContext {
    const tip = pinned ?? ancestorAt(tree.tip, Math.max(0, tree.tip.height - lag)) ?? tree.genesis;
    const { acceptsHashes = true, rangeLimit, rejectsTrace, chainId = 31_337 } = view;
    return {
      tree,
      tip,
      faults,
      without: new Map(Object.entries(view.without ?? {})),
      acceptsHashes,
      rangeLimit,
      rejectsTrace,
      chainId,
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Request | Request[] = JSON.parse(await textOf(request));
    const calls = Array.isArray(body) ? body : [body];
    requests.push(calls.map(({ method }) => method));
    const random = randomFor(calls.map(({ method, params }) => method + JSON.stringify(params)).join());
    if (failHttp(response, faults, random)) return;
    if (random.chance(faults.stall)) await new Promise((resolve) => setTimeout(resolve, view.stallMs ?? 200));
    if (Array.isArray(body) && body.length > (view.maxBatch ?? 1000)) {
      return send(response, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "batch too large" },
      });
    }
    const node = context();
    const replies = calls.map((call) =>
      replyTo(call, node, randomFor(call.method + JSON.stringify(call.params))),
    );
    const reply = Array.isArray(body) ? corruptIds(replies, faults, random) : replies[0];
    send(response, reply, random.chance(faults.truncated));
  }

  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  const sockets = serveSockets(server);
  const { port, url, close } = await listen(server);
  return {
    url: `${url}/key-that-must-not-show`,
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
      await close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Fails the request at random; returns whether it did. */
function failHttp(response: ServerResponse, faults: Faults, random: SeededRandom): boolean {
  const html = "<html><body>Bad gateway</body></html>";
  if (random.chance(faults.too_many)) response.writeHead(429).end("slow down");
  else if (random.chance(faults.too_many_retry_after)) response.writeHead(429, { "retry-after": "1" }).end();
  else if (random.chance(faults.server_error)) response.writeHead(500).end("oops");
  else if (random.chance(faults.html)) response.writeHead(200, { "content-type": "text/html" }).end(html);
  return response.writableEnded;
}

function corruptIds(replies: object[], faults: Faults, random: SeededRandom): object[] {
  const first = replies[0];
  if (first && replies.length > 1 && random.chance(faults.doubled_id))
    return [...replies.slice(0, -1), first];
  if (random.chance(faults.lost_id)) return replies.slice(1);
  return random.chance(faults.shuffled) ? replies.toReversed() : replies;
}

function send(response: ServerResponse, reply: unknown, isTruncated = false): void {
  const text = JSON.stringify(reply);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isTruncated ? text.slice(0, Math.floor(text.length / 2)) : text);
}
