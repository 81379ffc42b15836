import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** The server's end of a websocket. */
export type ServerSocket = {
  send(text: string): void;
  /** Ends the connection without a closing handshake. */
  drop(): void;
};

export type SocketHandlers = {
  onOpen?(socket: ServerSocket, request: IncomingMessage): void;
  onText(text: string, socket: ServerSocket): void;
};

/** Serves websockets without compression on an HTTP server. Returns a function that drops all connections. */
export function serveWebSockets(server: Server, { onOpen, onText }: SocketHandlers): () => void {
  const open = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
    open.add(stream);
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    stream.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    const socket: ServerSocket = {
      send: (text) => void (stream.writable && stream.write(encodeFrame(text))),
      drop: () => stream.destroy(),
    };
    onOpen?.(socket, request);
    let buffered: Buffer = Buffer.alloc(0);
    stream.on("data", (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (let frame = decodeFrame(buffered); frame; frame = decodeFrame(buffered)) {
        buffered = buffered.subarray(frame.size);
        if (frame.opcode === 8) return void stream.destroy();
        if (frame.opcode === 1) onText(frame.text, socket);
      }
    });
    for (const event of ["close", "error", "end"]) {
      stream.on(event, () => {
        open.delete(stream);
        stream.destroy();
      });
    }
  });
  return () => {
    for (const stream of open) stream.destroy();
  };
}

/** Encodes one unmasked text frame. */
function encodeFrame(text: string): Buffer {
  const body = Buffer.from(text);
  if (body.length < 126) return Buffer.concat([Buffer.from([0x81, body.length]), body]);
  const isShort = body.length < 65_536;
  const head = Buffer.alloc(isShort ? 4 : 10);
  head[0] = 0x81;
  head[1] = isShort ? 126 : 127;
  if (isShort) head.writeUInt16BE(body.length, 2);
  else head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

/** Decodes the first masked frame of a buffer; undefined until it is complete. */
function decodeFrame(buffer: Buffer): { opcode: number; text: string; size: number } | undefined {
  if (buffer.length < 6) return undefined;
  const short = (buffer[1] ?? 0) & 0x7f;
  const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (buffer.length < 6 + extra) return undefined;
  const length =
    extra === 8 ? Number(buffer.readBigUInt64BE(2)) : extra === 2 ? buffer.readUInt16BE(2) : short;
  const start = 2 + extra + 4;
  if (buffer.length < start + length) return undefined;
  const mask = buffer.subarray(start - 4, start);
  const body = Buffer.from(
    buffer.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
  );
  return { opcode: (buffer[0] ?? 0) & 0x0f, text: body.toString(), size: start + length };
}
