import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

// A webhook receiver in its own thread that records the first arrival of each message.
const seen = new Map<string, number>();
const server = createServer((context, response) => {
  const id = String(context.headers["webhook-id"] ?? "");
  if (!seen.has(id)) seen.set(id, performance.timeOrigin + performance.now());
  context.resume().on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage({ is: "listening", address: server.address() }));
parentPort?.on("message", () => parentPort?.postMessage({ is: "seen", seen: [...seen] }));
