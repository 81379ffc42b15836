import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { SchemaBook } from "../../src/http/openapi/schema-book.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { hostileBodies } from "../../test/hostile/bodies.ts";
import { largeRequests } from "./large-org.ts";

/** One of how many hostile bodies is prepared, so that they fit into memory. */
const everyNthBody = 61;

export type Attacker = Awaited<ReturnType<typeof startAttacker>>;
const attackArgument = "attack";

/** What the hostile org sends: the largest hostile bodies to every operation, or valid requests for all that it has. */
const attacks = {
  bodies: { connections: 4, requests: hostileRequests },
  reads: { connections: 40, requests: largeRequests },
};
export type Attack = keyof typeof attacks;
type Report = { sent: number; statuses: string };

/**
 * The hostile org sends from a process of its own. It has a low priority, because a real attacker does not use the processors
 * of the service: what it computes to send must not count as a delay of the service.
 */
export async function startAttacker(url: string, cookie: string, kind: Attack) {
  const child = fork(fileURLToPath(import.meta.url), [attackArgument, url, cookie, kind], {
    // The priority of a process does not apply to the threads that collect its garbage.
    execArgv: ["--single-threaded"],
  });
  const ask = async (message: "pause" | "report") => {
    child.send(message);
    return (await once(child, "message"))[0] as Report;
  };
  await once(child, "message");
  return {
    begin: () => child.send("begin"),
    pause: () => ask("pause"),
    report: () => ask("report"),
    end: () => child.kill(),
  };
}

type Hostile = { method: string; path: string; type?: string; bytes?: Uint8Array<ArrayBuffer> };

function attack(url: string, cookie: string, kind: Attack): void {
  setPriority(15);
  const { connections } = attacks[kind];
  const requests: Hostile[] = attacks[kind].requests();
  const statuses = new Map<string, number>();
  let [isActive, next] = [false, 0];
  let running: Promise<void>[] = [];
  const send = async () => {
    while (isActive) {
      const hostile = requests[next++ % requests.length] as Hostile;
      // The service may refuse a body before it has read all of it, and close the connection.
      const status = await statusOf(url, cookie, hostile).catch(() => "closed");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  process.on("message", async (message: "begin" | "pause" | "report") => {
    isActive = message === "begin";
    if (isActive) {
      running = Array.from({ length: connections }, send);
      return;
    }
    await Promise.all(running);
    const listed = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    process.send?.({ sent: next, statuses: listed } satisfies Report);
  });
  process.send?.("ready");
}

/** Another address than that of the other org, because addresses have budgets too. */
const agent = new Agent({
  keepAlive: true,
  ...(process.platform === "linux" && { localAddress: "127.0.0.2" }),
});

/** Sends a request and receives the reply, without the work to decompress it. */
function statusOf(url: string, cookie: string, { method, path, type, bytes }: Hostile): Promise<string> {
  const headers = { cookie, origin: url, "accept-encoding": "gzip", ...(type && { "content-type": type }) };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1${path}`, { agent, method, headers }, (reply) => {
      reply.once("error", reject).once("end", () => resolve(String(reply.statusCode)));
      reply.resume();
    });
    sent.once("error", reject).end(bytes);
  });
}

function hostileRequests(): Hostile[] {
  return operations.filter(({ body, isStream }) => body && !isStream).flatMap(bodiesFor);
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

const [argument, url, cookie, kind] = process.argv.slice(2);
if (argument === attackArgument && url && cookie) attack(url, cookie, kind as Attack);
