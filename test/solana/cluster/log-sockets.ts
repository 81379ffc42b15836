import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** The websocket server of a node, with the part of the protocol that log subscriptions need. */
export type LogSockets = {
  /** The addresses of all current subscriptions. */
  subscribed(): string[];
  /** Announces a transaction; with an address, by the subscription to it. */
  announce(signature: string, address?: string): void;
  closeAll(): void;
};

export function serveLogSockets(server: Server): LogSockets {
  const sockets = new Map<Duplex, string[]>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    sockets.set(socket, []);
    socket.on("data", (bytes: Buffer) => {
      // A close frame closes the socket.
      if (((bytes[0] ?? 0) & 0x0f) === 8) return void socket.destroy();
      for (const text of textsIn(bytes)) {
        const { id } = JSON.parse(text) as { id: number };
        const mentioned = mentionsIn(text);
        sockets.get(socket)?.push(...mentioned);
        const [address] = mentioned;
        const error = { code: -32601, message: "Method not found" };
        const reply = address ? { result: numberOf(address) } : { error };
        socket.write(frame({ jsonrpc: "2.0", id, ...reply }));
      }
    });
    for (const end of ["close", "error"]) socket.on(end, () => sockets.delete(socket));
  });
  return {
    subscribed: () => [...sockets.values()].flat(),
    announce(signature, address) {
      const params = {
        subscription: address ? numberOf(address) : 0,
        result: { context: { slot: 1 }, value: { signature, err: null, logs: [] } },
      };
      for (const socket of sockets.keys())
        socket.write(frame({ jsonrpc: "2.0", method: "logsNotification", params }));
    },
    closeAll() {
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

/** The number of the subscription to an address. */
function numberOf(address: string): number {
  return createHash("sha256").update(address).digest().readUInt32LE();
}

/** The texts of the masked frames that a client sent. */
function textsIn(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at + 6 <= bytes.length; ) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const head = short === 126 ? 4 : 2;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const mask = bytes.subarray(at + head, at + head + 4);
    const body = Buffer.from(bytes.subarray(at + head + 4, at + head + 4 + length));
    for (let place = 0; place < body.length; place++)
      body[place] = (body[place] ?? 0) ^ (mask[place % 4] ?? 0);
    if (((bytes[at] ?? 0) & 0x0f) === 1) texts.push(body.toString("utf8"));
    at += head + 4 + length;
  }
  return texts;
}

function mentionsIn(text: string): string[] {
  const { method, params } = JSON.parse(text) as { method: string; params: [{ mentions: string[] }] };
  return method === "logsSubscribe" ? params[0].mentions : [];
}

/** A text in one unmasked frame. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = text.length < 126 ? Buffer.from([0x81, text.length]) : Buffer.from([0x81, 126, 0, 0]);
  if (text.length >= 126) head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, text]);
}
