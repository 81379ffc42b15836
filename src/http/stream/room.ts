import type { App } from "../../app.ts";
import { loadMessages, type StreamPage } from "../../domain/analytics/stream.ts";
import { findHead, ringSize } from "../../store/analytics/stream.ts";
import { frameOf, type Listener } from "./listener.ts";

/** How many messages are sent before clients get the time to read them. */
const pageSize = 100;

/** The open streams of one org. What touches the order of messages goes one after the other. */
export class Room {
  readonly org_id: string;
  /** Everybody who came and has not left, whether or not they have heard anything yet. */
  readonly guests = new Set<Listener>();
  /** Those of them who are where the others are, and hear what is new. */
  readonly listeners = new Set<Listener>();
  readonly openedAt: Date;
  private readonly app: App;
  /** The number of the last message that was handed out; not known before the first turn. */
  private seq: number | undefined;
  private turn: Promise<void> = Promise.resolve();
  private isPumpWaiting = false;

  constructor(app: App, org_id: string) {
    this.app = app;
    this.org_id = org_id;
    this.openedAt = app.clock.now();
  }

  /** Lets a listener in: from now on, or from where it says that it left off, if that is still known. */
  join(listener: Listener, lastEventId: string | undefined, about: object): Promise<void> {
    return this.take(async (seq) => {
      const from = lastEventId === undefined ? seq : resumeFrom(lastEventId, seq);
      listener.seq = from ?? seq;
      const resumed = lastEventId !== undefined && from !== undefined;
      listener.send(frameOf("hello", listener.seq, { ...about, resumed }));
      if (from === undefined) listener.send(resetFrame(seq));
      else await this.catchUp(listener, seq);
      // Whoever left while their turn was awaited is not kept.
      if (this.guests.has(listener)) this.listeners.add(listener);
    });
  }

  /** Sends what is new. A call while another waits for its turn is the same as that one. */
  async pump(): Promise<void> {
    if (this.isPumpWaiting) return;
    this.isPumpWaiting = true;
    const hasMore = await this.take(async (seq) => {
      this.isPumpWaiting = false;
      const page = await loadMessages(this.app, this.org_id, seq, pageSize);
      this.hand(page, this.listeners);
      this.seq = page.upTo;
      await this.giveTime(page);
      return page.hasMore;
    });
    if (hasMore) await this.pump();
  }

  /** Sends something that is not kept to those who may hear it. */
  broadcast(
    event: string,
    data: unknown,
    mayHear: (listener: Listener) => boolean,
    isExpendable = true,
  ): void {
    let frame: Buffer | undefined;
    for (const listener of this.listeners) {
      if (!mayHear(listener)) continue;
      frame ??= frameOf(event, this.seq ?? 0, data);
      listener.send(frame, isExpendable);
    }
  }

  /** Brings one listener to where the others are. */
  private async catchUp(listener: Listener, seq: number): Promise<void> {
    while (listener.seq < seq) {
      const page = await loadMessages(
        this.app,
        this.org_id,
        listener.seq,
        Math.min(pageSize, seq - listener.seq),
      );
      this.hand(page, [listener]);
      await this.giveTime(page);
      listener.seq = Math.max(listener.seq, page.hasMore ? page.upTo : seq);
    }
  }

  private hand({ messages, upTo }: StreamPage, listeners: Iterable<Listener>): void {
    const framed = messages?.map((message) => ({
      message,
      frame: frameOf(message.event, message.seq, message.data),
    }));
    for (const listener of listeners) {
      if (!framed) listener.send(resetFrame(upTo));
      for (const { message, frame } of framed ?? []) {
        if (message.seq > listener.seq && message.mayHear(listener.viewer)) listener.send(frame);
      }
      listener.seq = Math.max(listener.seq, upTo);
    }
  }

  /** Whoever reads gets the time to: only who does not falls behind. */
  private async giveTime({ messages }: StreamPage): Promise<void> {
    if (messages?.length === pageSize) await this.app.clock.sleep(1);
  }

  /** Each turn begins when the one before has ended, however that was. */
  private take<Result>(work: (seq: number) => Promise<Result>): Promise<Result> {
    const done = this.turn.then(async () => {
      this.seq ??= await findHead(this.app.db, this.org_id);
      return work(this.seq);
    });
    this.turn = done.then(
      () => undefined,
      () => {
        this.isPumpWaiting = false;
      },
    );
    return done;
  }
}

/** Tells a client that something is missing, and to read everything anew. */
function resetFrame(seq: number): Buffer {
  return frameOf("reset", seq, { reason: "more happened than is kept" });
}

/** Where to go on from; undefined when that has left the ring, or is no number of ours. */
function resumeFrom(lastEventId: string, seq: number): number | undefined {
  if (!/^\d{1,15}$/.test(lastEventId)) return undefined;
  const from = Number(lastEventId);
  return from <= seq && from >= seq - ringSize ? from : undefined;
}
