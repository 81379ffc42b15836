import type { ServerResponse } from "node:http";
import type { Viewer } from "../../domain/access.ts";
import type { StreamHolder } from "../../domain/analytics/stream-access.ts";

/** Unsent bytes beyond which a slow client misses expendable frames, and beyond which it is disconnected. */
const softLimitBytes = 32 * 1024;
const hardLimitBytes = 1024 * 1024;

/** One open stream. */
export class Subscriber {
  viewer: Viewer;
  readonly holder: StreamHolder;
  /** The sequence number of the last message that was sent to this subscriber or filtered out for it. */
  seq = 0;
  private readonly response: ServerResponse;

  constructor(response: ServerResponse, viewer: Viewer, holder: StreamHolder) {
    this.response = response;
    this.viewer = viewer;
    this.holder = holder;
  }

  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** True when the client should have time to read before it gets more. */
  get hasMuchToRead(): boolean {
    return this.response.writableLength > hardLimitBytes / 2;
  }

  /** Sends a frame; an expendable one is dropped while the client is slow. */
  send(frame: Buffer, isExpendable = false): void {
    if (!this.isOpen) return;
    const unsentBytes = this.response.writableLength;
    if (unsentBytes > hardLimitBytes) this.response.destroy();
    else if (unsentBytes <= softLimitBytes || !isExpendable) this.response.write(frame);
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }
}

/** Encodes a message as a server-sent event. Its id is the sequence number from which a client can resume. */
export function frameOf(event: string, seq: number, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\nid: ${seq}\ndata: ${JSON.stringify(data)}\n\n`);
}
