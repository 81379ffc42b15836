import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { bytesOfAddress, fromBase58 } from "../../../src/chains/solana/accounts/address.ts";
import {
  Geyser,
  type SubscribeRequest,
  type SubscribeUpdate,
  SubscribeUpdateSchema,
  TransactionUpdateSchema,
} from "../../../src/chains/solana/stream/geyser-protocol.ts";
import { RequestQueue } from "../../../src/chains/solana/stream/request-queue.ts";
import type { Cluster, ExecutedTransaction } from "./cluster.ts";

type Update = NonNullable<MessageInitShape<typeof SubscribeUpdateSchema>["update"]>;

export type GeyserFaults = {
  /** The token that clients must send. */
  token: string | undefined;
  /** False for a server that does not keep the past. */
  replays: boolean;
  /** True if a transaction is left out, or sent twice. */
  leavesOut(): boolean;
  repeats(): boolean;
};

/** A Yellowstone gRPC server that streams a cluster, and fails as told. */
export type GeyserServer = Awaited<ReturnType<typeof startGeyserServer>>;

export async function startGeyserServer(cluster: Cluster) {
  const faults: GeyserFaults = {
    token: undefined,
    replays: true,
    leavesOut: () => false,
    repeats: () => false,
  };
  const subscribers = new Set<Subscriber>();
  const subscriptions: SubscribeRequest[] = [];
  const sessions = new Set<Http2Session>();

  async function* subscribe(requests: AsyncIterable<SubscribeRequest>, context: HandlerContext) {
    if (faults.token && context.requestHeader.get("x-token") !== faults.token)
      throw new ConnectError("the token is invalid", Code.Unauthenticated);
    const subscriber = new Subscriber(cluster, faults);
    subscribers.add(subscriber);
    context.signal.addEventListener("abort", () => subscriber.updates.end());
    void read(requests, subscriber);
    try {
      yield* subscriber.updates;
      if (subscriber.failure) throw subscriber.failure;
    } finally {
      subscribers.delete(subscriber);
    }
  }

  async function read(requests: AsyncIterable<SubscribeRequest>, subscriber: Subscriber): Promise<void> {
    try {
      for await (const request of requests) {
        if (!request.ping) subscriptions.push(request);
        subscriber.receive(request);
      }
    } catch {
      // The client is gone.
    }
  }

  const server = createServer(
    connectNodeAdapter({ routes: (router) => router.service(Geyser, { subscribe }) }),
  );
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    /** The filters that were received. */
    subscriptions,
    /** The watched addresses of each connection. */
    watched: () => [...subscribers].map(({ accounts }) => [...accounts].sort()),
    /** Streams a slot of the cluster to all clients. */
    stream(slot: number): void {
      for (const subscriber of subscribers) subscriber.sendSlot(slot);
    },
    /** Waits until all clients have received what was sent. */
    settle: () => Promise.all([...subscribers].map((subscriber) => subscriber.settle())),
    /** Ends all connections, as a restart of the server does. */
    drop(): void {
      for (const session of sessions) session.destroy();
    },
    async close(): Promise<void> {
      for (const session of sessions) session.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

class Subscriber {
  readonly updates = new RequestQueue<SubscribeUpdate>();
  accounts: ReadonlySet<string> = new Set();
  failure: ConnectError | undefined;
  private onPing: (() => void) | undefined;
  private readonly cluster: Cluster;
  private readonly faults: GeyserFaults;

  constructor(cluster: Cluster, faults: GeyserFaults) {
    this.cluster = cluster;
    this.faults = faults;
  }

  receive({ ping, transactions, fromSlot }: SubscribeRequest): void {
    if (ping) this.reply(ping.id);
    else this.subscribe(transactions, fromSlot);
  }

  private reply(id: number): void {
    this.onPing?.();
    this.send({ case: "pong", value: { id } });
  }

  private subscribe(transactions: SubscribeRequest["transactions"], fromSlot: bigint | undefined): void {
    this.accounts = new Set(Object.values(transactions).flatMap(({ accountInclude }) => accountInclude));
    if (fromSlot === undefined) return;
    if (this.faults.replays) {
      for (const { slot } of this.cluster.all) if (slot >= fromSlot) this.sendSlot(slot);
    } else {
      this.failure = new ConnectError(`slot ${fromSlot} is not available`, Code.InvalidArgument);
      this.updates.end();
    }
  }

  sendSlot(at: number): void {
    const found = this.cluster.at(at);
    if (!found) return;
    const slot = BigInt(at);
    for (const [index, ran] of found.ran.entries()) {
      if (!ran.accounts.some((account) => this.accounts.has(account)) || this.faults.leavesOut()) continue;
      const value = toTransactionUpdate(ran, slot, index);
      this.send({ case: "transaction", value });
      if (this.faults.repeats()) this.send({ case: "transaction", value });
    }
    const blockTime = { timestamp: BigInt(found.time) };
    this.send({ case: "blockMeta", value: { slot, blockhash: `Hash${at}`, blockTime } });
  }

  /** A client replies to a ping with one of its own. */
  settle(): Promise<void> {
    return new Promise((done) => {
      this.onPing = done;
      this.send({ case: "ping", value: {} });
    });
  }

  private send(update: Update): void {
    this.updates.push(create(SubscribeUpdateSchema, { update }));
  }
}

type Json = {
  transaction: {
    signatures: string[];
    message: { accountKeys: string[]; instructions: JsonInstruction[] };
  };
  meta: {
    err: unknown;
    fee: number;
    preBalances: number[];
    postBalances: number[];
    preTokenBalances?: JsonBalance[];
    postTokenBalances?: JsonBalance[];
    innerInstructions?: { index: number; instructions: JsonInstruction[] }[];
    logMessages?: string[];
    computeUnitsConsumed?: number;
  };
};
type JsonInstruction = {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight?: number | null;
};
type JsonBalance = {
  accountIndex: number;
  mint: string;
  owner?: string;
  uiTokenAmount: { amount: string; decimals: number; uiAmountString?: string };
};

export function toTransactionUpdate(ran: ExecutedTransaction, slot: bigint, index: number) {
  return create(TransactionUpdateSchema, { slot, transaction: toInfo(ran, index) });
}

function toInfo(ran: ExecutedTransaction, index: number) {
  const { transaction, meta } = ran as unknown as Json;
  const { accountKeys, instructions } = transaction.message;
  return {
    signature: fromBase58(ran.signature) as Buffer,
    index: BigInt(index),
    transaction: {
      signatures: transaction.signatures.map((signature) => fromBase58(signature) as Buffer),
      message: {
        accountKeys: accountKeys.map(bytesOfAddress),
        instructions: instructions.map(toInstruction),
      },
    },
    meta: {
      ...(ran.hasFailed && { err: { err: Buffer.of(8, 0, 0, 0, 0, 0, 0, 0, 0) } }),
      fee: BigInt(meta.fee),
      preBalances: meta.preBalances.map(BigInt),
      postBalances: meta.postBalances.map(BigInt),
      preTokenBalances: (meta.preTokenBalances ?? []).map(toBalance),
      postTokenBalances: (meta.postTokenBalances ?? []).map(toBalance),
      innerInstructions: (meta.innerInstructions ?? []).map((group) => ({
        index: group.index,
        instructions: group.instructions.map(toInstruction),
      })),
      logMessages: meta.logMessages ?? [],
      computeUnitsConsumed: BigInt(meta.computeUnitsConsumed ?? 0),
    },
  };
}

function toInstruction({ programIdIndex, accounts, data, stackHeight }: JsonInstruction) {
  return {
    programIdIndex,
    accounts: Buffer.from(accounts),
    data: fromBase58(data) as Buffer,
    ...(stackHeight && { stackHeight }),
  };
}

function toBalance({ uiTokenAmount, ...balance }: JsonBalance) {
  const { amount, decimals, uiAmountString = "" } = uiTokenAmount;
  return { ...balance, owner: balance.owner ?? "", uiTokenAmount: { amount, decimals, uiAmountString } };
}
