import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { recordFailure } from "../../src/pipeline/follow/run-chain.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import { makeDataFolder, run } from "../process/service.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { Tree } from "../simchain/tree.ts";
import { cloneDatabase, databaseUrl } from "../support/database.ts";
import { harness, type Person } from "../support/harness.ts";
import { longTest } from "../support/run-size.ts";
import { type Call, type Provider, rpcError, serveProvider } from "./proxy.ts";

const local = chainOf("local") as Chain;
const tree = new Tree(5, { transactions: 3 });
tree.grow(8);
const node = await makeNode(tree);
const provider = await serveProvider(node.url);
const database = await cloneDatabase();
const h = await harness({
  address: database,
  env: { RPC_LOCAL: provider.url, RPC_ETHEREUM: "http://127.0.0.1:1" },
});

/** Runs the command of the operator in a process of its own, beside the engine. */
function skip(DATA_DIR: string, to: number) {
  const env = { DATA_DIR, DATABASE_URL: databaseUrl(database), RPC_LOCAL: provider.url };
  return run(["chain", "skip", "local", "--to", `${to}`], env);
}

/** The provider answers as EIP-4444 allows: neither contents nor logs of blocks below a height. */
function prune(provider: Provider, below: number): void {
  const isBelow = ({ method, params: [first, isWhole] }: Call) =>
    (method === "eth_getBlockByNumber" && isWhole === true && Number(first) < below) ||
    (method === "eth_getLogs" && Number((first as { fromBlock?: string }).fromBlock) < below);
  provider.setManners({
    call: (call, forward) => (isBelow(call) ? rpcError(4444, "pruned history unavailable") : forward(call)),
  });
}

async function statusFor({ client }: Person): Promise<ChainInfo | undefined> {
  const chains = (await client.get("/chains")).body as ChainInfo[];
  return chains.find(({ chain }) => chain === "local");
}

/** An engine that follows the chain of a provider step by step. */
function openChain(url: string) {
  const reader = makeEvmReader({ chain: local, urls: [url], clock: fastClock(50), timeoutMs: 2_000 });
  const follower = new Follower(h.app, local, reader);
  const step = () => follower.step().catch((error: unknown) => recordFailure(h.app, local, error));
  return { reader, follower, step };
}

longTest(
  "the status of a chain of which only events are read says that its history is pruned, and the chain continues after the skipped blocks",
  async () => {
    const tree = new Tree(6, { transactions: 3 });
    tree.grow(8);
    const node = await makeNode(tree);
    const provider = await serveProvider(node.url);
    const owner = await h.person();
    const config = { event_signature: "Transfer(address,address,uint256)" };
    const selected_targets = [{ target_type: "event_frequency", config }];
    const created = await owner.client.post("/contracts", {
      chain: "local",
      address: contracts[0],
      selected_targets,
    });
    expect(created.status).toBe(200);
    const { reader, follower, step } = openChain(provider.url);
    const status = () => statusFor(owner);
    await step();
    tree.grow(30);
    prune(provider, 33);
    await step();
    await step();
    expect(await status()).toMatchObject({
      reading: { plan: "logs" },
      status_reason:
        "No node has block 9 any more, because their history is pruned. Configure a node with the whole history, " +
        "or continue without these blocks: tocsin chain skip local --to 38.",
    });
    // The blocks before the next one are pruned, but it is not.
    prune(provider, 9);
    // The batches grow again after the failures.
    for (let steps = 0; steps < 10 && follower.cursor?.height !== 38; steps++) await step();
    expect(follower.cursor).toMatchObject({ height: 38, hash: tree.tip.hash });
    await follower.stop();
    await reader.close();
    await provider.close();
    await node.close();
    await owner.client.delete(`/contracts/${(created.body as { id: string }).id}`);
    for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
      await h.app.db.deleteFrom(table).execute();
  },
);

test("the status of a chain says that its history is pruned; after an audited skip it continues, and only the orgs that monitor it are notified", async () => {
  const owner = await h.person();
  const selected_targets = [{ target_type: "tx_rate" }];
  await owner.client.post("/contracts", { chain: "local", address: contracts[0], selected_targets });
  const bystander = await h.person();
  const elsewhere = { chain: "ethereum", address: contracts[0], selected_targets };
  expect(await bystander.client.post("/contracts", elsewhere)).toMatchObject({ status: 200 });
  const { reader, follower, step } = openChain(provider.url);
  const status = () => statusFor(owner);
  await step();
  tree.grow(30);
  prune(provider, 30);
  await step();
  await step();
  expect(await status()).toMatchObject({
    head_block: 38,
    status_reason:
      "No node has block 9 any more, because their history is pruned. Configure a node with the whole history, " +
      "or continue without these blocks: tocsin chain skip local --to 38.",
  });

  // The command has another key than the service in this process, which has sealed a mail.
  await h.app.db.deleteFrom("mail_outbox").execute();
  const folder = await makeDataFolder({ isInitialised: false });
  expect(await skip(folder, 8)).toMatchObject({
    code: 1,
    output: expect.stringContaining("processed up to block 8"),
  });
  expect(await skip(folder, 99)).toMatchObject({
    code: 1,
    output: expect.stringContaining("no block 99 yet"),
  });
  expect(await skip(folder, 35)).toEqual({
    code: 0,
    output: expect.stringContaining("continues after block 35. Blocks 9 to 35 are not monitored."),
  });
  await step();
  expect(follower.cursor).toMatchObject({ height: 38, hash: tree.tip.hash });
  await step();
  expect(await status()).toMatchObject({
    state: "live",
    status_reason: null,
    gaps: [{ from_block: 9, to_block: 35 }],
  });
  const audited = await h.app.db
    .selectFrom("audit_log")
    .selectAll()
    .where("action", "=", "chain.skipped")
    .execute();
  expect(audited).toMatchObject([{ details: { from_block: 9, to_block: 35 } }]);
  await h.runJobs();
  const events = (await owner.client.get("/alerts/history")).body as AlertEvent[];
  expect(events).toMatchObject([
    {
      target_type: "chain",
      status: "firing",
      message: expect.stringContaining("The blocks 9 to 35 were skipped"),
    },
  ]);
  const ofBystander = await bystander.client.get("/alerts/history");
  expect(ofBystander.text).not.toContain("were skipped");
  await follower.stop();
  await reader.close();
  await provider.close();
  await node.close();
});
