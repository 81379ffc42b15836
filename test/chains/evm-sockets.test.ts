import { afterEach, expect, test, vi } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { canonicalBlocks, Tree } from "../simchain/tree.ts";
import { type Manners, serveProvider } from "../zoo/proxy.ts";

const local = chainOf("local") as Chain;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A reader of a node that has only a websocket. */
async function start({ manners = {} as Manners, credentials = "", timeoutMs = 2_000 } = {}) {
  const tree = new Tree(9, { transactions: 3 });
  tree.grow(12);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  provider.setManners(manners);
  const url = provider.socketUrl.replace("//", `//${credentials}`);
  const reader = makeEvmReader({ chain: local, urls: [url], clock: fastClock(20), timeoutMs });
  closing.push(node.close, provider.close, reader.close);
  return { tree, provider, reader };
}

test("calls and heads come over the websocket of an endpoint that has no HTTP, with its credentials and compression", async () => {
  const { tree, provider, reader } = await start({ credentials: "user:secret@" });
  const head = await reader.head();
  expect(head.hash).toBe(tree.tip.hash);
  const blocks = await reader.blocks(1, head.height, { receipts: true });
  expect(blocks).toEqual(canonicalBlocks(tree).slice(1));
  const [address] = ["0x0000000000000000000000000000000000BEEf01"];
  expect(await reader.read([{ kind: "balance", address: address ?? "" }], head)).toMatchObject([
    { ok: true },
  ]);
  // One for the calls and one for the heads.
  await vi.waitFor(() => expect(provider.connections.length).toBeGreaterThanOrEqual(2));
  for (const headers of provider.connections) {
    expect(headers["sec-websocket-extensions"]).toContain("permessage-deflate");
    expect(headers.authorization).toBe(`Basic ${Buffer.from("user:secret").toString("base64")}`);
  }
});

test("replies are matched by their ids when they come in another order", async () => {
  let asked = 0;
  const { tree, reader } = await start({
    manners: {
      async call(call, forward) {
        asked += 1;
        if (asked % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        return forward(call);
      },
    },
  });
  const refs = await Promise.all([3, 4, 5, 6, 7].map((height) => reader.blockRef(height)));
  expect(refs.map((ref) => ref?.hash)).toEqual(
    canonicalBlocks(tree)
      .slice(3, 8)
      .map(({ hash }) => hash),
  );
});

test.each<[string, "drop" | "ignore"]>([
  ["was dropped", "drop"],
  ["has gone silent", "ignore"],
])(
  "a new connection is opened after one %s",
  async (_, fate) => {
    const { tree, provider, reader } = await start({ timeoutMs: 300 });
    await reader.head();
    provider.setManners({ socket: () => fate });
    await expect(reader.blocks(1, 2, { receipts: false })).rejects.toThrow(
      fate === "drop" ? "closed the connection" : "timed out",
    );
    provider.setManners({});
    await expect.poll(() => reader.head().catch(() => undefined)).toMatchObject({ hash: tree.tip.hash });
  },
  60_000,
);
