import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { jsonBlock } from "./json.ts";
import type { SimBlock } from "./tree.ts";

/** A minimal websocket server for subscriptions to new heads. */
export type Sockets = {
  announce(block: SimBlock): void;
  /** The number of open subscriptions. */
  count(): number;
  closeAll(): void;
};

export function serveSockets(server: Server): Sockets {
  /** After the upgrade the HTTP server no longer tracks these sockets, but it does not close while one is open. */
  const open = new Set<Duplex>();
  const subscribed = new Set<Duplex>();
  const remove = (socket: Duplex) => {
    open.delete(socket);
    subscribed.delete(socket);
  };
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    open.add(socket);
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    // The first message of a client is its subscription, in one small frame, so it need not be parsed.
    socket.once("data", () => {
      socket.write(frame({ jsonrpc: "2.0", id: 1, result: "0x1" }));
      subscribed.add(socket);
      // The next message is a close frame.
      socket.once("data", () => socket.destroy());
    });
    // Close our half when the client has closed its half.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => remove(socket));
    socket.on("error", () => remove(socket));
  });
  return {
    announce(block) {
      const params = { subscription: "0x1", result: jsonBlock(block, false) };
      for (const socket of subscribed)
        socket.write(frame({ jsonrpc: "2.0", method: "eth_subscription", params }));
    },
    count: () => subscribed.size,
    closeAll() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Encodes a message as one unmasked text frame. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  if (text.length < 126) return Buffer.concat([Buffer.from([0x81, text.length]), text]);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, text]);
}
