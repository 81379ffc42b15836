import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { makeEvmReader } from "../../../src/chains/evm/reader.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { ChainInfo } from "../../../src/wire/contracts/chains.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { makeNode } from "../../simchain/node.ts";
import { Tree } from "../../simchain/tree.ts";
import { harness } from "../../support/harness.ts";

const h = await harness({ env: { RPC_ETHEREUM: "http://127.0.0.1:1" } });
const ethereum = chainOf("ethereum") as Chain;
const owner = await h.person();

test.each([
  ["closed", "is closed or cannot be reached"],
  ["silent", "announces no new blocks"],
])("the status of a chain says that its websocket is %s, until it announces a block", async (why, what) => {
  const tree = new Tree(4, { transactions: 1 });
  tree.grow(3);
  const node = await makeNode(tree, { chainId: 1 });
  // A silent connection is given up after two minutes.
  const clock = fastClock(why === "silent" ? 400 : 20);
  const reader = makeEvmReader({ chain: ethereum, urls: [node.url, node.socketUrl], clock });
  const follower = new Follower(h.app, ethereum, reader);
  const status = async () => {
    await follower.step();
    const chains = (await owner.client.get("/chains")).body as ChainInfo[];
    return chains.find(({ chain }) => chain === "ethereum")?.status_reason;
  };
  await expect.poll(() => node.sockets.count()).toBe(1);
  if (why === "closed") node.sockets.closeAll();
  await expect
    .poll(status, { timeout: 20_000 })
    .toBe(`Websocket 1 of 1 ${what}, so new blocks are found by polling only.`);
  const announced = async () => {
    node.sockets.announce(tree.tip);
    return status();
  };
  await expect.poll(announced, { timeout: 20_000 }).toBeNull();
  await follower.stop();
  await reader.close();
  await node.close();
});
