import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "@solana/kit";
import type { Cluster, ExecutedTransaction } from "./cluster.ts";
import { type LogSockets, serveLogSockets } from "./log-sockets.ts";

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
};

export type SolanaNode = {
  url: string;
  socketUrl: string;
  faults: NodeFaults;
  calls: string[];
  sockets: LogSockets;
  close(): Promise<void>;
};

type Request = { id: number; method: string; params: unknown[] };

/** Serves a cluster over JSON-RPC, with the methods that the reader uses. */
export async function startNode(cluster: Cluster, chance: () => number = () => 1): Promise<SolanaNode> {
  const faults: NodeFaults = {
    limited: 0,
    missing: 0,
    down: 0,
    garbage: 0,
    lag: 0,
    indexLag: 0,
    newVersion: false,
    forgetful: false,
    firstSlot: 0,
  };
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Request | Request[];
    if (chance() < faults.limited) return response.writeHead(429, { "retry-after": "0" }).end();
    if (chance() < faults.down) return response.destroy();
    if (chance() < faults.garbage) return response.end("<html>");
    const answer = (one: Request) => {
      calls.push(one.method);
      return { jsonrpc: "2.0", id: one.id, ...replyTo(cluster, faults, chance, one) };
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
  });
  const sockets = serveLogSockets(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    faults,
    calls,
    sockets,
    async close() {
      sockets.closeAll();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function replyTo(
  cluster: Cluster,
  faults: NodeFaults,
  chance: () => number,
  { method, params }: Request,
): { result: unknown } | { error: { code: number; message: string } } {
  const head = cluster.head - faults.lag;
  const options = (params.findLast((one) => typeof one === "object" && one !== null) ?? {}) as Options;
  if ((options.minContextSlot ?? 0) > head) return error(-32016, "Minimum context slot has not been reached");
  const [first] = params as [string & number];
  const context = { slot: head };
  switch (method) {
    case "getSlot":
      return { result: options.commitment === "finalized" ? Math.min(cluster.finalized, head) : head };
    case "getBlockTime":
      return timeOf(cluster, first, head);
    case "getFirstAvailableBlock":
      return { result: faults.firstSlot };
    case "getBlocks":
      return { result: cluster.all.map(({ slot }) => slot).filter((slot) => slot >= first && slot <= head) };
    case "getBlock": {
      const slot = cluster.at(first);
      return slot ? { result: { blockhash: `Hash${first}`, blockTime: slot.time } } : skipped(first);
    }
    case "getSignaturesForAddress":
      if (faults.forgetful && options.before) return { result: [] };
      return {
        result: signaturesOf(cluster, first, options, head - faults.indexLag).filter(
          ({ slot }) => slot >= faults.firstSlot,
        ),
      };
    case "getSignatureStatuses":
      if (faults.forgetful) return { result: { context, value: (params[0] as string[]).map(() => null) } };
      return { result: { context, value: statusesOf(cluster, params[0] as string[], head) } };
    case "getTransaction":
      if (faults.newVersion) return error(-32015, "Transaction version (2) is not supported");
      return chance() < faults.missing ? { result: null } : { result: transactionOf(cluster, first, head) };
    case "getBalance":
      return {
        result: { context, value: Number(cluster.svm.getBalance(first as unknown as Address) ?? 0n) },
      };
    case "getAccountInfo":
      return { result: { context, value: accountOf(cluster, first, options) } };
    case "getTokenSupply": {
      const mint = cluster.mint(first);
      return mint ? { result: { context, value: mint } } : error(-32602, "Invalid param: not a Token mint");
    }
    case "getTokenAccountBalance": {
      const held = cluster.tokenAccount(first);
      return held
        ? { result: { context, value: held.uiTokenAmount } }
        : error(-32602, "Invalid param: could not find account");
    }
    case "getTokenAccountsByOwner":
      return { result: { context, value: holdingsOf(cluster, first, (params[1] as { mint: string }).mint) } };
    default:
      return error(-32601, "Method not found");
  }
}

type Options = {
  commitment?: string;
  minContextSlot?: number;
  before?: string;
  until?: string;
  limit?: number;
  dataSlice?: { offset: number; length: number };
};

const error = (code: number, message: string) => ({ error: { code, message } });
const skipped = (slot: number) => error(-32007, `Slot ${slot} was skipped, or missing due to ledger jump`);

function timeOf(cluster: Cluster, slot: number, head: number) {
  if (slot > head) return error(-32004, `Block not available for slot ${slot}`);
  const found = cluster.at(slot);
  return found ? { result: found.time } : skipped(slot);
}

type Placed = ExecutedTransaction & { slot: number; time: number };

function placed(cluster: Cluster, head: number): Placed[] {
  return cluster.all
    .filter(({ slot }) => slot <= head)
    .flatMap(({ slot, time, ran }) => ran.map((one) => ({ ...one, slot, time })));
}

function signaturesOf(
  cluster: Cluster,
  address: string,
  { before, until, limit = 1000 }: Options,
  head: number,
) {
  const newestFirst = placed(cluster, head)
    .filter(({ accounts }) => accounts.includes(address))
    .reverse();
  const from = before ? newestFirst.findIndex(({ signature }) => signature === before) + 1 : 0;
  // Real nodes return nothing for an unknown `before`.
  if (before && from === 0) return [];
  const end = until ? newestFirst.findIndex(({ signature }) => signature === until) : -1;
  return newestFirst
    .slice(from, end === -1 ? undefined : end)
    .slice(0, limit)
    .map(({ signature, slot, time, hasFailed }) => ({
      signature,
      slot,
      err: hasFailed ? { InstructionError: [0, "Custom"] } : null,
      memo: null,
      blockTime: time,
      confirmationStatus: slot <= cluster.finalized ? "finalized" : "confirmed",
    }));
}

function statusesOf(cluster: Cluster, signatures: string[], head: number) {
  const all = new Map(placed(cluster, head).map((one) => [one.signature, one]));
  return signatures.map((signature) => {
    const one = all.get(signature);
    return one ? { slot: one.slot, confirmationStatus: "confirmed", err: null } : null;
  });
}

function transactionOf(cluster: Cluster, signature: string, head: number) {
  const one = placed(cluster, head).find((ran) => ran.signature === signature);
  if (!one) return null;
  const { slot, time, transaction, meta } = one;
  return { slot, blockTime: time, transaction, meta, version: 0 };
}

function accountOf(cluster: Cluster, address: string, { dataSlice }: Options) {
  const account = cluster.svm.getAccount(address as Address);
  if (!account.exists) return null;
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  const data = Buffer.from(account.data).subarray(offset, offset + length);
  return {
    owner: account.programAddress,
    executable: account.executable,
    lamports: Number(account.lamports),
    data: [data.toString("base64"), "base64"],
  };
}

function holdingsOf(cluster: Cluster, owner: string, mint: string) {
  return cluster.svm
    .getProgramAccounts("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address)
    .flatMap(({ address }) => {
      const held = cluster.tokenAccount(address);
      if (held?.owner !== owner || held.mint !== mint) return [];
      return [
        { pubkey: address, account: { data: { parsed: { info: { tokenAmount: held.uiTokenAmount } } } } },
      ];
    });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
