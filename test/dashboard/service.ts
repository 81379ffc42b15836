import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { start } from "../process/service.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { listen } from "../support/listen.ts";

/**
 * Starts the real service with a database of its own for the duration of the test file; returns its address. Call it while the file
 * is loaded: a hook that is registered inside another hook does not run.
 * `demoBlocks` is the length of the demo chain's past.
 */
export async function startService(
  env: Record<string, string>,
  { demoBlocks }: { demoBlocks?: number | undefined } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-dashboard-"));
  if (demoBlocks) await makeDemoChain(join(folder, "demo"), demoBlocks);
  const DATABASE_URL = databaseUrl(await cloneDatabase());
  const { child, output } = start(["serve"], { DATA_DIR: folder, DATABASE_URL, ...env });
  afterAll(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", () => {
      const url = /listens on (\S+)/.exec(output())?.[1];
      if (url) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${output()}`)));
  });
}

/** Makes a demo chain for the service to continue. The past that it would make takes seconds. */
async function makeDemoChain(folder: string, pastBlocks: number): Promise<void> {
  const [{ openChain }, { ChainStore }] = await Promise.all([
    import("../../src/chains/demo/node/producer.ts"),
    import("../../src/chains/demo/node/store.ts"),
  ]);
  await openChain(new ChainStore(folder), systemClock, { seed: "tocsin", pastBlocks });
}

/** A webhook receiver that accepts everything. */
export async function startReceiver(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.end("ok");
  });
  const { url, close } = await listen(server);
  afterAll(close);
  return { url: `${url}/hook`, bodies };
}

export type Account = { email: string; cookie: string; send: Send };
type Send = <Reply>(method: string, path: string, body?: object) => Promise<Reply>;

/** Signs up by the API, and returns requests with the session. */
export async function signUp(url: string, email: string, password: string): Promise<Account> {
  const request = (method: string, path: string, body: object | undefined, cookie: string) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { origin: url, cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reply = await request("POST", "/auth/signup", { email, password, org_name: "Acme" }, "");
  if (!reply.ok) throw new Error(`sign-up failed: ${await reply.text()}`);
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return {
    email,
    cookie,
    async send<Reply>(method: string, path: string, body?: object): Promise<Reply> {
      const answer = await request(method, path, body, cookie);
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json().catch(() => undefined)) as Reply;
    },
  };
}
