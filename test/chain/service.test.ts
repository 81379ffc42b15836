import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { end, makeDataFolder, serve } from "../process/service.ts";
import { type Deployed, startNode } from "./node.ts";

const node = await startNode();
const friend = node.accounts[1] as Hex;
const metricsToken = "a-token-for-prometheus";
const account = { email: "ada@example.com", password: "correct horse battery staple" };

test("a transaction on the chain raises an alert, also one that was sent while the service was down", async () => {
  const env = { DATA_DIR: await makeDataFolder(), RPC_LOCAL: node.url, METRICS_TOKEN: metricsToken };
  const token = await node.deploy("Token", 1_000n);
  const first = await serve(env);
  let ada = await signIn(first.url, "/auth/signup");
  const { id } = await ada.send<Contract>("POST", "/contracts", {
    chain: "local",
    address: token.address,
    selected_targets: [
      { target_type: "event_frequency", config: { event_signature: "Transfer(address,address,uint256)" } },
    ],
  });
  const [target] = await ada.send<Target[]>("GET", `/contracts/${id}/targets`);
  for (let threshold = 1; threshold <= 5; threshold++) {
    const condition = { operator: "gte", threshold, window_seconds: 3600 };
    await ada.send("POST", "/alerts", {
      target_id: target?.id,
      severity: "critical",
      record_only: true,
      condition,
    });
  }
  await waitFor(async () => {
    const chains = await ada.send<ChainInfo[]>("GET", "/chains");
    return chains.find(({ chain }) => chain === "local")?.head_block;
  });

  process.stdout.write(`seen by asking after ${await measureTwo(ada, token, 1)} ms\n`);
  await end(first, "SIGKILL");
  const { transactionHash } = await token.send("transfer", [friend, 1n]);
  await node.mine(3);
  const second = await serve({ ...env, RPC_LOCAL: `${node.url},${node.url.replace("http", "ws")}` });
  ada = await signIn(second.url, "/auth/login");
  expect(await waitFor(() => findEvent(ada, transactionHash))).toMatchObject({ value: 3, block_number: 4 });
  process.stdout.write(`seen by a websocket after ${await measureTwo(ada, token, 4)} ms\n`);
  expect(await ada.send<AlertEvent[]>("GET", "/alerts/history")).toHaveLength(5);
  await expectChainMetrics(second.url);
  await expectReading(ada);
  expect(await end(second, "SIGTERM")).toEqual({ code: 0, signal: null });
}, 60_000);

/** The metrics of the service show the chain, its endpoint and the events since the start. */
async function expectChainMetrics(url: string): Promise<void> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const lines = (await reply.text()).split("\n");
  const sumOf = (start: string) =>
    lines
      .filter((line) => line.startsWith(start))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  expect(sumOf('tocsin_events_total{severity="critical"')).toBe(3);
  const processed = sumOf('tocsin_chain_processed_height{chain="local"');
  expect(processed).toBeGreaterThanOrEqual(8);
  expect(sumOf('tocsin_chain_head_height{chain="local"')).toBe(processed);
  expect(sumOf('tocsin_chain_lag_blocks{chain="local"')).toBeLessThan(5);
  expect(sumOf('tocsin_block_to_commit_seconds_count{chain="local"')).toBeGreaterThanOrEqual(2);
  const { host } = new URL(node.url);
  expect(sumOf(`tocsin_rpc_request_duration_seconds_count{chain="local",host="${host}"`)).toBeGreaterThan(4);
  for (const method of ["eth_getBlockByNumber", "eth_getLogs"])
    expect(sumOf(`tocsin_rpc_calls_total{chain="local",host="${host}",method="${method}"`)).toBeGreaterThan(
      0,
    );
  expect(sumOf('tocsin_rpc_calls_per_day_estimate{chain="local",plan="logs"')).toBeGreaterThan(0);
}

/** The list of chains shows what the plan costs, and not which nodes are used. */
async function expectReading(browser: Browser): Promise<void> {
  const chains = await browser.send<ChainInfo[]>("GET", "/chains");
  expect(chains.find(({ chain }) => chain === "local")?.reading).toMatchObject({
    plan: "logs",
    calls_per_day_estimate: expect.toSatisfy((calls) => calls > 0),
  });
  expect(JSON.stringify(chains)).not.toContain(new URL(node.url).host);
}

/** Measures the time from a transaction to its alert, twice. `next` is the number of the first. */
async function measureTwo(browser: Browser, token: Deployed, next: number): Promise<string> {
  const latenciesMs: number[] = [];
  for (let transfers = next; transfers < next + 2; transfers++) {
    const sentAt = performance.now();
    const { transactionHash } = await token.send("transfer", [friend, 1n]);
    expect(await waitFor(() => findEvent(browser, transactionHash))).toMatchObject({ value: transfers });
    latenciesMs.push(Math.round(performance.now() - sentAt));
  }
  return latenciesMs.join(", ");
}

type Browser = Awaited<ReturnType<typeof signIn>>;

/** Returns a client that is signed in. */
async function signIn(url: string, path: string) {
  const request = (method: string, route: string, body: object | undefined, cookie: string) =>
    fetch(`${url}/api/v1${route}`, {
      method,
      headers: { origin: url, cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reply = await request("POST", path, account, "");
  expect(reply.status).toBe(200);
  const cookie = reply.headers.getSetCookie().map((line) => line.split(";")[0]);
  return {
    async send<Thing>(method: string, route: string, body?: object): Promise<Thing> {
      const answer = await request(method, route, body, cookie.join("; "));
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Thing;
    },
  };
}

async function findEvent(browser: Browser, tx_hash: Hex): Promise<AlertEvent | undefined> {
  const events = await browser.send<AlertEvent[]>("GET", "/alerts/history");
  return events.find((event) => event.tx_hash === tx_hash);
}

/** Retries until there is a result; the test's timeout limits it. */
async function waitFor<Answer>(ask: () => Promise<Answer>): Promise<NonNullable<Answer>> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
    await sleep(50);
  }
}
