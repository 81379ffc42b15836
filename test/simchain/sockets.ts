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
  /** The server no longer knows of these, and does not close while one is open; not all of them come to subscribe. */
  const open = new Set<Duplex>();
  const subscribed = new Set<Duplex>();
  const forget = (socket: Duplex) => {
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
    // The one thing that a client says is that it subscribes, in one small frame; so the text need not be read.
    socket.once("data", () => {
      socket.write(frame({ jsonrpc: "2.0", id: 1, result: "0x1" }));
      subscribed.add(socket);
      // The next thing it says is farewell.
      socket.once("data", () => socket.destroy());
    });
    // Whoever says no more is gone: nothing else would close our half.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => forget(socket));
    socket.on("error", () => forget(socket));
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

/** A text in one unmasked frame. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  if (text.length < 126) return Buffer.concat([Buffer.from([0x81, text.length]), text]);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, text]);
}
