import type { App } from "../../app.ts";
import { canResumeFrom, findLastSeq, loadMessages, type StreamPage } from "../../domain/analytics/stream.ts";
import { nextTurn } from "../../lib/concurrency/turns.ts";
import { frameOf, type Subscriber } from "./subscriber.ts";

/** The number of messages that are sent before slow clients get time to read. */
const pageSize = 100;
/** What is sent before other work has a turn: all of it waits in memory until then, also for clients that read at once. */
const sliceBytes = 128 * 1024;
/** The pauses for which a page waits for clients that have much to read. */
const [readingPauses, readingPauseMs] = [100, 10];

/** The open streams of one org. Work that depends on the order of messages runs sequentially. */
export class OrgFeed {
  readonly org_id: string;
  /** Every open stream of the org, including those that have not caught up yet. */
  readonly subscribers = new Set<Subscriber>();
  readonly openedAt: Date;
  /** The subscribers that have caught up and receive new messages. */
  private readonly live = new Set<Subscriber>();
  private readonly app: App;
  /** The sequence number of the last message sent; undefined until the first task has run. */
  private seq: number | undefined;
  private lastTask: Promise<void> = Promise.resolve();
  private isPumpQueued = false;

  constructor(app: App, org_id: string) {
    this.app = app;
    this.org_id = org_id;
    this.openedAt = app.clock.now();
  }

  get liveSubscribers(): ReadonlySet<Subscriber> {
    return this.live;
  }

  /** Adds a subscriber, which resumes after `lastEventId` if those messages are still stored. */
  join(subscriber: Subscriber, lastEventId: string | undefined, greeting: object): Promise<void> {
    this.subscribers.add(subscriber);
    return this.enqueue(async (seq) => {
      // Opening and closing streams must not queue work that goes on for nobody.
      if (!subscriber.isOpen) return;
      const from = lastEventId === undefined ? seq : resumeFrom(lastEventId, seq);
      subscriber.seq = from ?? seq;
      const resumed = lastEventId !== undefined && from !== undefined;
      subscriber.send(frameOf("hello", subscriber.seq, { ...greeting, resumed }));
      if (from === undefined) subscriber.send(resetFrame(seq));
      else await this.catchUp(subscriber, seq);
      // The client may have disconnected while its task was queued.
      if (this.subscribers.has(subscriber)) this.live.add(subscriber);
    });
  }

  leave(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.live.delete(subscriber);
  }

  /** Sends new messages. A call while another one is queued does nothing. */
  async pump(): Promise<void> {
    if (this.isPumpQueued) return;
    this.isPumpQueued = true;
    const hasMore = await this.enqueue(async (seq) => {
      this.isPumpQueued = false;
      const page = await loadMessages(this.app, this.org_id, seq, pageSize);
      // A message that is not stored and is sent meanwhile has the number of the last one that is.
      await this.sendPage(page, this.live, (sent) => {
        this.seq = sent;
      });
      this.seq = page.upTo;
      await this.pauseAfter(page);
      return page.hasMore;
    });
    if (hasMore) await this.pump();
  }

  /** Sends a message that is not stored to the live subscribers that may receive it. */
  broadcast(
    event: string,
    data: unknown,
    mayReceive: (subscriber: Subscriber) => boolean,
    isExpendable = true,
  ): void {
    let frame: Buffer | undefined;
    for (const subscriber of this.live) {
      if (!mayReceive(subscriber)) continue;
      frame ??= frameOf(event, this.seq ?? 0, data);
      subscriber.send(frame, isExpendable);
    }
  }

  /** Sends the stored messages up to `seq` to one subscriber. */
  private async catchUp(subscriber: Subscriber, seq: number): Promise<void> {
    while (subscriber.isOpen && subscriber.seq < seq) {
      const limit = Math.min(pageSize, seq - subscriber.seq);
      const page = await loadMessages(this.app, this.org_id, subscriber.seq, limit);
      await this.sendPage(page, [subscriber]);
      await this.pauseAfter(page);
      subscriber.seq = Math.max(subscriber.seq, page.hasMore ? page.upTo : seq);
    }
  }

  private async sendPage(
    { messages, upTo }: StreamPage,
    subscribers: Iterable<Subscriber>,
    onSent: (seq: number) => void = () => undefined,
  ): Promise<void> {
    if (!messages) for (const subscriber of subscribers) subscriber.send(resetFrame(upTo));
    let pauses = readingPauses;
    let unsentBytes = 0;
    for (const message of messages ?? []) {
      const frame = frameOf(message.event, message.seq, message.data);
      for (const subscriber of subscribers) {
        if (message.seq > subscriber.seq && message.isVisibleTo(subscriber.viewer)) subscriber.send(frame);
      }
      onSent(message.seq);
      unsentBytes += frame.length;
      if (unsentBytes < sliceBytes) continue;
      unsentBytes = 0;
      await nextTurn(this.org_id);
      for (; pauses > 0 && hasMuchToRead(subscribers); pauses--) await this.app.clock.sleep(readingPauseMs);
    }
    for (const subscriber of subscribers) subscriber.seq = Math.max(subscriber.seq, upTo);
  }

  /** Gives clients time to read after a full page, so that only a client that does not read falls behind. */
  private async pauseAfter({ messages }: StreamPage): Promise<void> {
    if (messages?.length === pageSize) await this.app.clock.sleep(1);
  }

  /** Runs a task after the previous one has succeeded or failed. */
  private enqueue<Result>(task: (seq: number) => Promise<Result>): Promise<Result> {
    const result = this.lastTask.then(async () => {
      this.seq ??= await findLastSeq(this.app, this.org_id);
      return task(this.seq);
    });
    this.lastTask = result.then(
      () => undefined,
      () => {
        this.isPumpQueued = false;
      },
    );
    return result;
  }
}

function hasMuchToRead(subscribers: Iterable<Subscriber>): boolean {
  for (const { isOpen, hasMuchToRead } of subscribers) if (isOpen && hasMuchToRead) return true;
  return false;
}

/** Tells a client that messages are missing and that it must fetch the full state again. */
function resetFrame(seq: number): Buffer {
  return frameOf("reset", seq, { reason: "message buffer exceeded" });
}

/** The sequence number to resume after; undefined if the id is invalid or the messages are no longer stored. */
function resumeFrom(lastEventId: string, seq: number): number | undefined {
  if (!/^\d{1,15}$/.test(lastEventId)) return undefined;
  const from = Number(lastEventId);
  return canResumeFrom(from, seq) ? from : undefined;
}
