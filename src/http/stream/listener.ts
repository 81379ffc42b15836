import type { ServerResponse } from "node:http";
import type { Viewer } from "../../store/viewer.ts";

/** Who opened a stream, as it is found again when it is checked whether they still may. */
export type Holder =
  | { kind: "session"; session_id: string; user_id: string }
  | { kind: "api_key"; key_id: string };

/** Beyond the first, a client that does not read loses what it can do without; beyond the second it is let go. */
const softBytes = 32 * 1024;
const hardBytes = 1024 * 1024;

/** One open stream. */
export class Listener {
  viewer: Viewer;
  readonly holder: Holder;
  /** The number of the last message that it has passed, sent or not for it. */
  seq = 0;
  private readonly response: ServerResponse;

  constructor(response: ServerResponse, viewer: Viewer, holder: Holder) {
    this.response = response;
    this.viewer = viewer;
    this.holder = holder;
  }

  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** Sends a frame. One that is not worth waiting for is left out while the client is slow. */
  send(frame: Buffer, isExpendable = false): void {
    if (!this.isOpen) return;
    const waiting = this.response.writableLength;
    if (waiting > hardBytes) this.response.destroy();
    else if (waiting <= softBytes || !isExpendable) this.response.write(frame);
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }
}

/** One message as it goes over the wire. Its id is the last number that a client which has it has passed. */
export function frameOf(event: string, seq: number, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\nid: ${seq}\ndata: ${JSON.stringify(data)}\n\n`);
}
