import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A message as the receiver got it. */
export type Received = {
  id: string;
  path: string;
  /** The position among all received messages. */
  turn: number;
  kind: string;
  headers: IncomingMessage["headers"];
  body: { type: string; data: { severity: string; alerts: { event_id: string; title: string }[] } };
};

/** The receiver's reaction to a message: a reply or a failure. */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | "reset"
  | "silence";

/** A webhook receiver on loopback that records all messages. */
export class Sink {
  readonly received: Received[] = [];
  /** The reaction per path; 200 by default. */
  private readonly answers = new Map<
    string,
    (received: Received, earlier: number) => Answer | Promise<Answer>
  >();
  private readonly seen = new Map<string, number>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<Sink> {
    const sink = new Sink();
    await new Promise<void>((resolve) => sink.server.listen(0, "127.0.0.1", resolve));
    afterAll(() => sink.close());
    return sink;
  }

  /** Returns the URL of a channel; the path distinguishes channels. */
  url(path = "/"): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Sets the reaction to further messages to a path. */
  on(path: string, answer: (received: Received, earlier: number) => Answer | Promise<Answer>): void {
    this.answers.set(path, answer);
  }

  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers["webhook-id"] ?? "");
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Received["body"];
    const kind = body.type?.replace("alert.", "") ?? "";
    const path = request.url ?? "";
    const received = { id, path, turn: this.received.length, kind, headers: request.headers, body };
    this.received.push(received);
    const earlier = this.seen.get(id) ?? 0;
    this.seen.set(id, earlier + 1);
    reply(response, (await this.answers.get(path)?.(received, earlier)) ?? 200);
  }
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === "reset") response.socket?.destroy();
  else if (answer === "silence") return;
  else if (typeof answer === "number") response.writeHead(answer).end();
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}
