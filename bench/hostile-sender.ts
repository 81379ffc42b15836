import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { SchemaBook } from "../src/http/openapi/schema-book.ts";
import type { Operation } from "../src/http/operation.ts";
import { operations } from "../src/http/routes/index.ts";
import { hostileBodies } from "../test/hostile/bodies.ts";

const connections = 4;
/** One of how many hostile bodies is prepared, so that they fit into memory. */
const everyNthBody = 61;

export type Attacker = Awaited<ReturnType<typeof startAttacker>>;
type Report = { sent: number; statuses: string };

/** The hostile org sends from a thread of its own, so that it does not delay the measurement. */
export async function startAttacker(url: string, cookie: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, cookie } });
  const ask = async (message: "pause" | "report") => {
    worker.postMessage(message);
    return (await once(worker, "message"))[0] as Report;
  };
  await once(worker, "message");
  return {
    begin: () => worker.postMessage("begin"),
    pause: () => ask("pause"),
    report: () => ask("report"),
    end: () => worker.terminate(),
  };
}

type Hostile = { method: string; path: string; type: string; bytes: Uint8Array<ArrayBuffer> };

function attack({ url, cookie }: { url: string; cookie: string }): void {
  const bodies = operations.filter(({ body, isStream }) => body && !isStream).flatMap(bodiesFor);
  const statuses = new Map<string, number>();
  let [isActive, next] = [false, 0];
  let running: Promise<void>[] = [];
  const send = async () => {
    while (isActive) {
      const one = bodies[next++ % bodies.length];
      if (!one) return;
      const headers = { cookie, origin: url, "content-type": one.type };
      const request = { method: one.method, headers, body: one.bytes };
      // The service may refuse a body before it has read all of it, and close the connection.
      const status = await fetch(`${url}/api/v1${one.path}`, request)
        .then((reply) => reply.arrayBuffer().then(() => String(reply.status)))
        .catch(() => "closed");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  parentPort?.on("message", async (message: "begin" | "pause" | "report") => {
    isActive = message === "begin";
    if (isActive) {
      running = Array.from({ length: connections }, send);
      return;
    }
    await Promise.all(running);
    const listed = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    parentPort?.postMessage({ sent: next, statuses: listed } satisfies Report);
  });
  parentPort?.postMessage("ready");
}

function bodiesFor(operation: Operation, place: number): Hostile[] {
  // Signing out would end the attack.
  if (!operation.body || operation.path.startsWith("/admin") || operation.id === "logOut") return [];
  const book = new SchemaBook();
  const example = book.exampleOf(book.add(operation.body, "input"));
  const { bodyBytes = 1024 * 1024, bodyValues = 10_000 } = operation.limits;
  const path = operation.path.replace(/\{\w+\}/g, "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42");
  const { method, hook } = operation;
  return [...hostileBodies(example, { size: bodyBytes - 2_000, values: bodyValues })]
    .filter((_, index) => index % everyNthBody === place % everyNthBody)
    .map((body) => ({
      ...{ method, path, type: hook?.takes ?? "application/json" },
      bytes: new Uint8Array(body.bytes()),
    }));
}

if (!isMainThread && parentPort) attack(workerData as { url: string; cookie: string });
