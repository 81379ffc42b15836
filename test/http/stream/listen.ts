import http from "node:http";
import { StreamMessage } from "../../../src/wire/analytics/stream-messages.ts";

export type Frame = { event: string; id: string; data: Record<string, unknown> };

/** A client of the event stream that keeps the received frames and waits for more. */
export class StreamClient {
  readonly frames: Frame[] = [];
  readonly status: Promise<number>;
  readonly headers: Promise<http.IncomingHttpHeaders>;
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<void>;
  private readonly request: http.ClientRequest;
  private text = "";
  private wake: () => void = () => undefined;

  constructor(url: string, headers: Record<string, string>, query = "") {
    this.request = http.get(`${url}/api/v1/dashboard/stream${query}`, { headers, agent: false });
    const responded = new Promise<http.IncomingMessage>((resolve, reject) => {
      this.request.once("response", resolve);
      this.request.once("error", reject);
    });
    this.status = responded.then((response) => response.statusCode ?? 0);
    this.headers = responded.then((response) => response.headers);
    this.ended = responded.then(
      (response) =>
        new Promise<void>((resolve) => {
          response.on("data", (chunk) => this.receive(String(chunk)));
          response.once("close", resolve);
        }),
    );
    for (const promise of [this.status, this.headers, this.ended]) promise.catch(() => undefined);
  }

  /** Returns the first received frame that matches, or waits for it. */
  async next(event: string, matches: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (let checked = 0; ; ) {
      for (; checked < this.frames.length; checked++) {
        const frame = this.frames[checked] as Frame;
        if (frame.event === event && matches(frame)) return frame;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** The received frames of one event type. */
  ofType(event: string): Frame[] {
    return this.frames.filter((frame) => frame.event === event);
  }

  close(): void {
    this.request.destroy();
  }

  private receive(chunk: string): void {
    this.text += chunk;
    const parts = this.text.split("\n\n");
    this.text = parts.pop() ?? "";
    for (const part of parts) this.frames.push(parseFrame(part));
    this.wake();
  }
}

function parseFrame(part: string): Frame {
  const fields = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  const frame = { event: fields.event, id: fields.id, data: JSON.parse(fields.data) };
  const { error } = StreamMessage.safeParse(frame);
  if (error) throw new Error(`${part} is not as the description says: ${error.message}`);
  return frame;
}
