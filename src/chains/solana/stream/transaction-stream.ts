import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log/log.ts";
import type { StreamServer } from "../../family.ts";
import { type ConnectionOutcome, keepConnected } from "../../rpc/transport/reconnecting-socket.ts";
import type { Announcer, AnnouncerOptions } from "../heads/announcer.ts";
import { BlockCollector, type StreamedBlock } from "./block-collector.ts";
import type { GeyserClient, GeyserRequest } from "./geyser-client.ts";
import type { SubscribeUpdate } from "./geyser-protocol.ts";
import { RequestQueue } from "./request-queue.ts";
import { accountsOf } from "./streamed-transaction.ts";

export type StreamOptions = StreamServer & {
  clock: Clock;
  log?: Log | undefined;
  /** Called with each block. Its transactions are used if nodes list them in this slot. */
  onBlock(block: StreamedBlock): void;
  onInterruption?(reason: string): void;
};

const confirmed = 1;
const filterName = "watched";
const idleMs = 60_000;
/** A server sends a block twice a second and a ping every 15 seconds. */
const silenceMs = 30_000;

/**
 * A subscription to the transactions of watched addresses over Yellowstone gRPC. It announces them, and hands over their content
 * so that nodes need not be asked for it. What counts is decided by the listings of nodes: a stream that drops, repeats or
 * invents transactions costs calls, and loses nothing.
 */
export class TransactionStream implements Announcer {
  private readonly options: StreamOptions;
  private readonly blocks = new BlockCollector();
  private client: GeyserClient | undefined;
  private announcing: AnnouncerOptions | undefined;
  private addresses: ReadonlySet<string> = new Set();
  private covered: ReadonlySet<string> = new Set();
  private changed = new AbortController();
  /** Present while connected. */
  private requests: RequestQueue<GeyserRequest> | undefined;
  /** The addresses of each filter that the server has not confirmed yet, by the number of its ping. */
  private readonly unconfirmed = new Map<number, ReadonlySet<string>>();
  private pings = 0;
  private received = 0;
  private newestSlot: bigint | undefined;
  private isInterrupted = false;

  constructor(options: StreamOptions) {
    this.options = options;
  }

  /** Keeps the subscription alive until the signal aborts. */
  open(announcing: AnnouncerOptions): Announcer {
    this.announcing = announcing;
    const { url, clock, log } = this.options;
    const { signal } = announcing;
    signal.addEventListener("abort", () => this.client?.close());
    void keepConnected(url, { clock, log, signal }, () => this.connect(signal));
    return this;
  }

  watch(addresses: ReadonlySet<string>): void {
    this.addresses = addresses;
    if (this.requests && addresses.size > 0) this.sendFilter();
    else this.reconnect();
  }

  covers(address: string): boolean {
    return this.covered.has(address);
  }

  /** A sentence while transactions are not streamed. */
  problem(): string | undefined {
    return this.isInterrupted
      ? "The stream of transactions is interrupted; they are found by polling instead."
      : undefined;
  }

  private reconnect(): void {
    this.changed.abort();
    this.changed = new AbortController();
  }

  private async connect(signal: AbortSignal): Promise<ConnectionOutcome> {
    const stop = AbortSignal.any([signal, this.changed.signal]);
    if (this.addresses.size === 0) {
      await this.options.clock.sleep(idleMs, stop);
      return "changed";
    }
    const before = this.received;
    // Loaded on demand: most services stream nothing.
    const { openGeyserClient, describeFailure } = await import("./geyser-client.ts");
    this.client ??= openGeyserClient(this.options);
    const failure = await this.listen(this.client, stop).catch(describeFailure);
    this.covered = new Set();
    this.blocks.clear();
    if (stop.aborted) return "changed";
    const hasWorked = this.received > before;
    if (!hasWorked && failure?.mayRefuseReplay) this.newestSlot = undefined;
    this.reportInterruption(failure?.reason ?? "the server ended it");
    return hasWorked ? "worked" : "failed";
  }

  /** Receives updates until the connection ends, falls silent or `stop` aborts. */
  private async listen(client: GeyserClient, stop: AbortSignal): Promise<undefined> {
    const ended = new AbortController();
    const signal = AbortSignal.any([stop, ended.signal]);
    const requests = new RequestQueue<GeyserRequest>();
    signal.addEventListener("abort", () => requests.end());
    this.requests = requests;
    this.unconfirmed.clear();
    this.sendFilter(this.newestSlot === undefined ? {} : { fromSlot: this.newestSlot + 1n });
    void this.endWhenSilent(ended);
    try {
      for await (const update of client.subscribe(requests, signal)) this.receive(update);
    } finally {
      this.requests = undefined;
      ended.abort();
    }
  }

  private sendFilter(more: GeyserRequest = {}): void {
    const accountInclude = [...this.addresses];
    this.requests?.push({
      transactions: { [filterName]: { vote: false, accountInclude } },
      blocksMeta: { [filterName]: {} },
      commitment: confirmed,
      ...more,
    });
    // The server handles requests in order, so that its reply to the ping confirms the filter.
    this.unconfirmed.set(this.ping(), this.addresses);
  }

  /** Sends a ping and returns its number. A request with a ping leaves the filter as it is. */
  private ping(): number {
    const id = ++this.pings;
    this.requests?.push({ ping: { id } });
    return id;
  }

  private receive({ update }: SubscribeUpdate): void {
    this.received += 1;
    switch (update.case) {
      case "ping":
        this.ping();
        break;
      case "pong":
        this.confirm(update.value.id);
        break;
      case "transaction":
        this.blocks.add(update.value);
        for (const address of accountsOf(update.value))
          if (this.addresses.has(address)) this.announcing?.onActivity(address);
        break;
      case "blockMeta":
        this.newestSlot = update.value.slot;
        this.options.onBlock(this.blocks.complete(update.value));
        break;
    }
  }

  /** After an interruption all addresses are listed once, whatever the server replays. */
  private confirm(ping: number): void {
    const addresses = this.unconfirmed.get(ping);
    this.unconfirmed.delete(ping);
    if (!addresses) return;
    this.covered = addresses;
    if (!this.isInterrupted) return;
    this.isInterrupted = false;
    this.announcing?.onActivity(undefined);
    this.options.log?.info({ host: this.host }, "stream of transactions restored");
  }

  private reportInterruption(reason: string): void {
    if (this.isInterrupted) return;
    this.isInterrupted = true;
    this.options.onInterruption?.(reason);
    this.options.log?.warn({ host: this.host, reason }, "stream of transactions interrupted");
  }

  /** Some connections fall silent without an end. */
  private async endWhenSilent(ended: AbortController): Promise<void> {
    while (!ended.signal.aborted) {
      const before = this.received;
      await this.options.clock.sleep(silenceMs, ended.signal);
      if (this.received === before) ended.abort();
    }
  }

  private get host(): string {
    return new URL(this.options.url).host;
  }
}
