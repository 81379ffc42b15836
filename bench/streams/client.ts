import net from "node:net";

/** Opens streams with the given keys, reports when all are open, and then when each has received an event. */
export type Order = { port: number; keys: string[]; streams: number; at: string };

process.once("message", async ({ port, keys, streams, at }: Order) => {
  const now = () => performance.timeOrigin + performance.now();
  let open = 0;
  let heard: number[] = [];
  const openOne = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ port, host: "127.0.0.1" }, () =>
        socket.write(
          `GET /api/v1/dashboard/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`,
        ),
      );
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        const text = chunk.toString("latin1");
        if (text.includes("event: hello")) {
          open++;
          resolve();
        } else if (text.includes("HTTP/1.1") && !text.includes(" 200 ")) reject(new Error(text));
        if (!text.includes(at)) return;
        heard.push(now());
        if (heard.length < open) return;
        process.send?.({ heard });
        heard = [];
      });
    });
  for (let done = 0; done < streams; done += 200) {
    const batch = Array.from(
      { length: Math.min(200, streams - done) },
      (_, n) => keys[(done + n) % keys.length],
    );
    await Promise.all(batch.map((key) => openOne(key ?? "")));
  }
  process.send?.({ open });
});
