import { connect } from "node:net";

export type RawReply = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The time until the server closed the connection. */
  tookMs: number;
};

/** Opens a connection for arbitrary bytes; `reply` resolves when the server closes it. */
export function openSocket(port: number) {
  const since = performance.now();
  const socket = connect({ port, host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  // Some tests expect the connection to be reset.
  socket.on("error", () => undefined);
  const reply = new Promise<RawReply>((resolve) => {
    socket.on("close", () =>
      resolve({ ...parse(Buffer.concat(chunks).toString()), tookMs: performance.now() - since }),
    );
  });
  return {
    send: (bytes: string | Buffer) => void socket.write(bytes),
    /** Sends no more, as a client that ends half-way. */
    end: () => void socket.end(),
    reply,
  };
}

/** Sends bytes and waits until the server closes the connection. */
export function exchange(port: number, bytes: string | Buffer): Promise<RawReply> {
  const { send, reply } = openSocket(port);
  send(bytes);
  return reply;
}

function parse(text: string): Omit<RawReply, "tookMs"> {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join("\r\n\r\n"),
  };
}
