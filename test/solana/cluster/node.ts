import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../../support/listen.ts";
import type { Cluster } from "./cluster.ts";
import { type LogSockets, serveLogSockets } from "./log-sockets.ts";
import { replyTo, rpcError, searches } from "./node-replies.ts";

/** The faults of a node: probabilities from 0 to 1, and lags in slots. */
export type NodeFaults = {
  limited: number;
  /** Returns no data for a listed transaction. */
  missing: number;
  down: number;
  garbage: number;
  /** The number of newest slots that the node does not know. */
  lag: number;
  /** The number of newest slots whose transactions are not indexed. */
  indexLag: number;
  /** Rejects transactions because of an unsupported version. */
  newVersion: boolean;
  /** The oldest slot that is not pruned. */
  firstSlot: number;
  /** Knows no transaction by its signature. */
  forgetful: boolean;
  /** Rejects a listing that should end at a transaction, which it has pruned. */
  forgetsUntil: boolean;
  /** Errors of listings and searches, by address; "hangs" never replies to them. */
  failing: Map<string, number | "hangs">;
  /** Transactions that are listed but never returned. */
  withheld: Set<string>;
  /** A limit of calls a second, and the error for more. */
  limit: { perSecond: number; code: number; message: string } | undefined;
  /** The largest lag of several backends, one of which answers each call. */
  backendLag: number;
  /** Rejects requests that accept a newer transaction version. */
  maxVersion: number;
  /** Replaces a reply; "hangs" never sends it, and with it nothing of the request that it belongs to. */
  rewrite: ((request: NodeRequest, reply: NodeReply) => NodeReply | "hangs") | undefined;
  /** Delays the reply to a request with this method. */
  held: { method: string; until: Promise<unknown> } | undefined;
};

export type NodeRequest = { method: string; params: unknown[] };
export type NodeReply = { result: unknown } | { error: unknown };

export type SolanaNode = {
  url: string;
  socketUrl: string;
  faults: NodeFaults;
  calls: string[];
  sockets: LogSockets;
  close(): Promise<void>;
};

type Request = NodeRequest & { id: number };

/** Serves a cluster over JSON-RPC, with the methods that the reader uses. */
export async function startNode(
  cluster: Cluster,
  chance: () => number = () => 1,
  nowMs: () => number = Date.now,
): Promise<SolanaNode> {
  const faults = noFaults();
  const calls: string[] = [];
  let answeredAt: number[] = [];
  const isOverLimit = () => {
    if (!faults.limit) return false;
    answeredAt = answeredAt.filter((at) => nowMs() - at < 1000);
    if (answeredAt.length >= faults.limit.perSecond) return true;
    answeredAt.push(nowMs());
    return false;
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Request | Request[];
    if (chance() < faults.limited) return response.writeHead(429, { "retry-after": "0" }).end();
    if (chance() < faults.down) return response.destroy();
    if (chance() < faults.garbage) return response.end("<html>");
    const isHanging = ({ method, params }: Request) =>
      searches.has(method) && faults.failing.get(String(params[0])) === "hangs";
    if ([body].flat().some(isHanging)) return;
    const { held } = faults;
    if (held && [body].flat().some(({ method }) => method === held.method)) await held.until;
    const answer = (one: Request) => {
      calls.push(one.method);
      if (faults.limit && isOverLimit()) {
        const { code, message } = faults.limit;
        return { jsonrpc: "2.0", id: one.id, ...rpcError(code, message) };
      }
      const reply = replyTo(cluster, faults, chance, one);
      const sent = faults.rewrite ? faults.rewrite(one, reply) : reply;
      return sent === "hangs" ? sent : { jsonrpc: "2.0", id: one.id, ...sent };
    };
    const replies = [body].flat().map(answer);
    if (replies.includes("hangs")) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
  });
  const sockets = serveLogSockets(server);
  const { port, url, close } = await listen(server);
  return {
    url,
    socketUrl: `ws://127.0.0.1:${port}`,
    faults,
    calls,
    sockets,
    async close() {
      sockets.closeAll();
      await close();
    },
  };
}

/** What a node answers that has no faults. */
export function replyOf(cluster: Cluster, request: NodeRequest): NodeReply {
  return replyTo(cluster, noFaults(), () => 1, request);
}

function noFaults(): NodeFaults {
  return {
    limited: 0,
    missing: 0,
    down: 0,
    garbage: 0,
    lag: 0,
    indexLag: 0,
    newVersion: false,
    forgetful: false,
    firstSlot: 0,
    forgetsUntil: false,
    failing: new Map(),
    withheld: new Set(),
    limit: undefined,
    backendLag: 0,
    maxVersion: 9,
    rewrite: undefined,
    held: undefined,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
