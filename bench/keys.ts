import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../src/app.ts";
import { parseConfig } from "../src/config.ts";
import { systemCaller } from "../src/domain/caller.ts";
import { authenticateKey } from "../src/domain/orgs/key-authentication.ts";
import { changeAnyOrg } from "../src/domain/orgs/platform.ts";
import { startService, withApp } from "../src/main.ts";
import { tierLimits } from "../src/tiers.ts";
import { serveBare } from "./bare-server.ts";
import { compare, signUp } from "./compare.ts";

const contracts = 25;
/** Enough keys that none reaches its rate limit. */
const keys = 100;

/** GET /contracts with scoped keys, through the service and through a bare route with the same query. */
export async function benchKeys(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const env = {
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "warn",
    ROLES: "api",
    RPC_LOCAL: "http://127.0.0.1:1",
  };
  const config = parseConfig(env);
  const service = await startService(config);
  const bare = await serveBare(config);
  try {
    const made = await makeKeys(service.url, (org_id) =>
      withApp(config, (app) => changeAnyOrg(app, systemCaller, org_id, { tier: "enterprise" })),
    );
    const headers = made.map((key) => ({ authorization: `Bearer ${key}` }));
    await compare({ service: `${service.url}/api/v1/contracts`, bare: `${bare.url}/contracts` }, headers);
    await withApp(config, (app) => timeChecks(app, made[0] ?? ""));
  } finally {
    await bare.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates keys of one org, restricted to its contracts. */
async function makeKeys(url: string, upgrade: (org_id: string) => Promise<unknown>): Promise<string[]> {
  const cookie = await signUp(url);
  const send = async (method: string, path: string, body?: object) => {
    const headers = { cookie, origin: url, ...(body && { "content-type": "application/json" }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}/api/v1${path}`, init);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string; key: string; active_org_id: string };
  };
  await upgrade((await send("GET", "/auth/me")).active_org_id);
  const contract_scope: string[] = [];
  for (let n = 1; n <= contracts; n++) {
    const address = `0x${n.toString(16).padStart(40, "0")}`;
    contract_scope.push((await send("POST", "/contracts", { chain: "local", address })).id);
  }
  const made: string[] = [];
  for (let n = 0; n < keys; n++) {
    made.push(
      (await send("POST", "/api-keys", { name: `Key ${n}`, contract_scope, chain_scope: [31337] })).key,
    );
  }
  return made;
}

/** Measures the CPU time to find a cached key and admit its request. */
async function timeChecks(app: App, key: string): Promise<void> {
  const times = 100_000;
  const context = { request_id: null, ip: null };
  const once = async () => {
    const { key_id } = await authenticateKey(app, key, context, "bench");
    await app.limiter.admit(key_id, tierLimits.enterprise.keyRequests);
  };
  for (let n = 0; n < 1_000; n++) await once();
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) await once();
  const { user, system } = process.cpuUsage(before);
  console.log(
    `Checking a key from the cache takes ${((user + system) / times).toFixed(1)} µs of processor time.`,
  );
}
