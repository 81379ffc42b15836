import { expect, onTestFinished } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { DemoChain } from "../../src/chains/demo/node/chain.ts";
import { serveChain } from "../../src/chains/demo/node/server.ts";
import { type IncidentName, incidentNames } from "../../src/chains/demo/story/incidents.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { catchUp } from "../support/catch-up.ts";
import { harness } from "../support/harness.ts";
import { listen } from "../support/listen.ts";
import { longTest } from "../support/run-size.ts";

/** Ordinary traffic before the demo is started: three hours before noon, as on a new service. */
const past = { blocks: 1_200, blockSeconds: 9 };
const noon = Date.UTC(2027, 5, 1, 12) / 1000;
const blockSeconds = 2;
/** Blocks from the start of an incident to that of the next one, as in the story. The engine processes them up to each of these. */
const steps = [5, 35, 70, 110, 150];

/** The demo chain with its past, a service that follows it, and a user who pressed "Show me". */
async function makeDemo() {
  const chain = await DemoChain.open({
    seed: "tocsin",
    time: noon - past.blocks * past.blockSeconds,
    startsAt: Number.MAX_SAFE_INTEGER,
  });
  for (let made = 1; made <= past.blocks; made++)
    await chain.advance({ time: chain.head.time + past.blockSeconds, branch: 0 });
  const { url, close } = await listen(serveChain(Promise.resolve({ chain, request: () => undefined })));
  onTestFinished(close);
  const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_DEMO: url, DEFAULT_TIER: "" } });
  const setClock = () => h.clock.advance(chain.head.time - h.clock.now().getTime() / 1000);
  setClock();
  const demo = chainOf("demo") as Chain;
  const reader = makeEvmReader({ chain: demo, urls: [url], clock: h.clock, log: h.app.log });
  const follower = new Follower(h.app, demo, reader);
  onTestFinished(async () => {
    await follower.stop();
    await reader.close();
    await h.close();
  });
  const { client } = await h.person();
  expect((await client.post("/demo")).status).toBe(200);
  const contracts = (await client.get("/contracts")).body as Contract[];
  const labels = new Map<string | null, string | null>(contracts.map(({ id, label }) => [id, label]));

  /** Plays the blocks from one incident to the next. Returns the rules that fired, each with its contract. */
  return async function play(request?: IncidentName): Promise<string[]> {
    const start = chain.head.height + 1;
    for (let made = 1; made <= (steps.at(-1) ?? 0); made++) {
      const begins = made === 1 && request;
      await chain.advance({ time: chain.head.time + blockSeconds, branch: 0, ...(begins && { request }) });
      setClock();
      if (steps.includes(made)) await catchUp(follower);
    }
    const events = (await client.get("/alerts/history?limit=200")).body as AlertEvent[];
    const fired = events.filter(({ block_number }) => block_number !== null && block_number >= start);
    return [...new Set(fired.map((one) => `${labels.get(one.contract_id)}: ${one.rule_name}`))].sort();
  };
}

longTest(
  "each incident of the demo alerts by the rules that the demo sets up, and ordinary traffic does not",
  async () => {
    const play = await makeDemo();
    const fired: Record<string, string[]> = { nothing: await play() };
    for (const name of incidentNames) fired[name] = await play(name);
    expect(fired).toEqual({
      nothing: [],
      upgrade: ["Demo lending pool: Contract upgraded"],
      large_transfer: ["Demo Dollar: Large transfer"],
      mint_spike: ["Demo Dollar: Large transfer", "Demo Dollar: Supply up within an hour"],
      ownership_transfer: ["Demo bridge vault: Owner or role changed"],
      oracle_stall: [
        "Demo keeper: Wallet stopped its regular transactions",
        "Demo price feed ETH/USD: Stale price feed",
      ],
      pool_drain: [
        "Demo Dollar: Large transfer",
        "Demo pool dETH/dUSD: Price up by 10 % in five minutes",
        "Demo pool dETH/dUSD: Tokens drained: dETH",
        "Demo pool dETH/dUSD: Tokens drained: dUSD",
      ],
      revert_storm: [
        "Demo pool dETH/dUSD: High rate of failed transactions",
        "Demo pool dETH/dUSD: Price down by 10 % in five minutes",
      ],
      bridge_outflow: ["Demo Dollar: Large transfer", "Demo bridge vault: Tokens drained: dUSD"],
    });
  },
);
