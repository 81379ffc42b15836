import { afterEach, expect, test } from "vitest";
import type { Hex } from "../../src/chains/block.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { selectors } from "../simchain/call.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { simulatedChain } from "../simchain/simulated-chain.ts";
import { Tree } from "../simchain/tree.ts";
import { patientLimits } from "../support/patient-limits.ts";
import { serveProvider } from "../zoo/proxy.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const [token = ""] = contracts;

/** Reads state twice in one block, and returns the parameters of the calls and the headers of the requests. */
async function readThrough(multicall3: Hex | null) {
  const tree = new Tree(77);
  tree.grow(5);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  const calls: { gas?: string }[] = [];
  provider.setManners({
    call(call, forward) {
      if (call.method === "eth_call") calls.push(call.params[0] as { gas?: string });
      return forward(call);
    },
  });
  const chain = { ...simulatedChain, multicall3 };
  const reader = makeEvmReader({ chain, urls: [provider.url], clock: fastClock(20), ...patientLimits });
  closing.push(node.close, provider.close, reader.close);
  const supply = { kind: "call", to: token, data: selectors.totalSupply } as const;
  const results = await reader.read([supply, { ...supply, data: selectors.reverts }], tree.tip);
  expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  return { calls, requests: provider.requests };
}

test.each([
  ["one by one", null],
  ["together", simulatedChain.multicall3],
])(
  "calls of contracts that are read %s have a gas limit, so that one that loops does not keep a node busy",
  async (_, multicall3) => {
    const { calls } = await readThrough(multicall3);
    expect(calls.length).toBeGreaterThan(0);
    for (const { gas } of calls) {
      expect(Number(gas)).toBeGreaterThan(100_000);
      expect(Number(gas)).toBeLessThanOrEqual(50_000_000);
    }
  },
);

test("replies over HTTP are asked for compressed", async () => {
  const { requests } = await readThrough(null);
  expect(requests.length).toBeGreaterThan(0);
  for (const headers of requests) expect(headers["accept-encoding"]).toContain("gzip");
});
