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
import { harness } from "../support/harness.ts";
import { rpcError, serveProvider } from "./proxy.ts";

const local = chainOf("local") as Chain;
const tree = new Tree(5, { transactions: 3 });
tree.grow(8);
const node = await makeNode(tree);
const provider = await serveProvider(node.url);
const database = await cloneDatabase();
const h = await harness({ address: database, env: { RPC_LOCAL: provider.url, RPC_ETHEREUM: "" } });

/** Runs the command of the operator in a process of its own, beside the engine. */
function skip(DATA_DIR: string, to: number) {
  const env = { DATA_DIR, DATABASE_URL: databaseUrl(database), RPC_LOCAL: provider.url };
  return run(["chain", "skip", "local", "--to", `${to}`], env);
}

/** The provider answers as EIP-4444 allows: no contents of blocks below a height. */
function prune(below: number): void {
  provider.setManners({
    call: (call, forward) =>
      call.method === "eth_getBlockByNumber" && call.params[1] === true && Number(call.params[0]) < below
        ? rpcError(4444, "pruned history unavailable")
        : forward(call),
  });
}

test("a chain whose history is pruned says so, and continues after an audited skip that its orgs are notified of", async () => {
  const owner = await h.person();
  const selected_targets = [{ target_type: "tx_rate" }];
  await owner.client.post("/contracts", { chain: "local", address: contracts[0], selected_targets });
  const reader = makeEvmReader({
    chain: local,
    urls: [provider.url],
    clock: fastClock(50),
    timeoutMs: 2_000,
  });
  const follower = new Follower(h.app, local, reader);
  const step = () => follower.step().catch((error: unknown) => recordFailure(h.app, local, error));
  const status = async () => ((await owner.client.get("/chains")).body as ChainInfo[])[0];
  await step();
  tree.grow(30);
  prune(30);
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
  await follower.stop();
  await reader.close();
  await provider.close();
  await node.close();
});
