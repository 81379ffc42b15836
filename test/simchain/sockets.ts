import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { jsonBlock } from "./json.ts";
import type { SimBlock } from "./tree.ts";

/** The websocket side of a node: as much of the protocol as a subscription to new heads needs. */
export type Sockets = {
  announce(block: SimBlock): void;
  /** How many subscribed and are still there. */
  count(): number;
  closeAll(): void;
};

export function serveSockets(server: Server): Sockets {
  const subscribed = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    // The one thing that a client says is that it subscribes, in one small frame; so the text need not be read.
    socket.once("data", () => {
      socket.write(frame({ jsonrpc: "2.0", id: 1, result: "0x1" }));
      subscribed.add(socket);
      // The next thing it says is farewell.
      socket.once("data", () => socket.destroy());
    });
    socket.on("close", () => subscribed.delete(socket));
    socket.on("error", () => subscribed.delete(socket));
  });
  return {
    announce(block) {
      const params = { subscription: "0x1", result: jsonBlock(block, false) };
      for (const socket of subscribed)
        socket.write(frame({ jsonrpc: "2.0", method: "eth_subscription", params }));
    },
    count: () => subscribed.size,
    closeAll() {
      for (const socket of subscribed) socket.destroy();
      subscribed.clear();
    },
  };
}

/** A text in one unmasked frame. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  if (text.length < 126) return Buffer.concat([Buffer.from([0x81, text.length]), text]);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, text]);
}
