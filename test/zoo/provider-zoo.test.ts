import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import type { Behaviour } from "./behaviour.ts";
import { behaviours } from "./behaviours.ts";
import { type Cage, visit } from "./visit.ts";

// Most of the time is spent waiting, so several members are visited at once, each with a service of its own.
const env = Object.fromEntries(
  ["LOCAL", "ETHEREUM", "CELO", "SEI", "ZKSYNC", "ARBITRUM", "POLYGON"].map((key) => [
    `RPC_${key}`,
    "http://127.0.0.1:1",
  ]),
);
const cages: Cage[] = await Promise.all(
  [1, 2, 3, 4].map(async () => {
    const h = await harness({ env });
    const owner = await h.personOn("enterprise");
    return { h, owner };
  }),
);

/** A healthy node on the chain of a behaviour: what a delay is compared with. */
const healthy = ({ chain, isSocketOnly, readsLogs }: Behaviour): Behaviour => ({
  name: "is healthy",
  manners: () => ({}),
  ...(chain && { chain }),
  ...(isSocketOnly && { isSocketOnly }),
  ...(readsLogs && { readsLogs }),
  says: { of: "chain", what: /^$/ },
  readsState: true,
});

/** Each cage is visited by one test at a time. */
const visits = cages.map(() => Promise.resolve());
/** Delays of a healthy node, by what is followed, each measured beside other visits. */
const baselines = new Map<string, Promise<number>>();

function healthyDelay(lane: number, behaviour: Behaviour): Promise<number> {
  const node = healthy(behaviour);
  const key = `${node.chain} ${node.isSocketOnly} ${node.readsLogs}`;
  const known = baselines.get(key) ?? visit(cages[lane] as Cage, node, 1).then(({ delayMs }) => delayMs);
  baselines.set(key, known);
  return known;
}

/** Work takes simulated time as well, and more of it on a busy machine: a quarter of a second is five. */
const machineMs = 5_000;
const maxVisits = 3;

/**
 * Alerts are not later than on a healthy node plus one polling interval, and what the provider itself makes callers wait. A
 * provider that delays alerts does so at every visit; a busy machine does not.
 */
async function compareDelays(lane: number, behaviour: Behaviour, seed: number): Promise<void> {
  const healthyMs = await healthyDelay(lane, behaviour);
  for (let attempt = 1; ; attempt++) {
    const { delayMs, pollMs } = await visit(cages[lane] as Cage, behaviour, seed);
    const allowedMs = healthyMs + Math.max(pollMs, machineMs) + (behaviour.waitsMs ?? 0);
    if (attempt < maxVisits && delayMs > allowedMs) continue;
    const what = `the slowest block, in simulated time; ${healthyMs} ms on a healthy node, polled every ${pollMs} ms`;
    expect(delayMs, what).toBeLessThanOrEqual(allowedMs);
    return;
  }
}

/** Delays depend on the machine, which may be busy, so that only the long run compares them. */
const comparesDelays = Boolean(process.env.TEST_LONG);

async function check(lane: number, behaviour: Behaviour, seed: number): Promise<void> {
  if (comparesDelays) await compareDelays(lane, behaviour, seed);
  else await visit(cages[lane] as Cage, behaviour, seed);
}

/** Every twelfth provider in `npm test`, every one in the long run. */
const everyNth = runSize("ZOO_EVERY", { short: 12, long: 1 });
const visited = behaviours.map((behaviour, index) => [behaviour.name, behaviour, index] as const);

test.concurrent.each(visited.filter(([, , index]) => index % everyNth === 0))(
  `no alert is lost${comparesDelays ? ", invented or delayed" : " or invented"} by a provider that %s`,
  async (_, behaviour, index) => {
    const lane = Math.floor(index / everyNth) % cages.length;
    const earlier = visits[lane];
    const own = Promise.resolve(earlier).then(() => check(lane, behaviour, index + 1));
    visits[lane] = own.catch(() => undefined);
    await own;
  },
  // A visit waits for the earlier ones of its cage.
  600_000,
);
