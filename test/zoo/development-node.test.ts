import { afterAll, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { recordFailure } from "../../src/pipeline/follow/run-chain.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { startNode } from "../chain/node.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { behaviours } from "./behaviours.ts";
import { serveProvider } from "./proxy.ts";

const local = chainOf("local") as Chain;
const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";
const node = await startNode();
const provider = await serveProvider(node.url);
const h = await harness({ env: { RPC_LOCAL: provider.url } });
const owner = await h.person();
await h.setTier(owner.org_id, "enterprise");
const token = await node.deploy("Token", 10n ** 24n);
afterAll(() => provider.close());

const body = async <Thing>(reply: ReturnType<typeof owner.client.get>): Promise<Thing> => {
  const { status, body: content, text } = await reply;
  if (status >= 300) throw new Error(text);
  return content as Thing;
};
const post = <Thing>(path: string, content: object) => body<Thing>(owner.client.post(path, content));

/** Watches the token by its events and by its state; each transfer is an event of the rule. */
async function watchToken(needsReceipts: boolean) {
  const selected_targets = [
    { target_type: "event_value", config: { event_signature: transfer, arg: "value" } },
    { target_type: "native_balance" },
    // Whole blocks are read with receipts, or with the logs of all addresses.
    { target_type: needsReceipts ? "tx_rate" : "unique_callers" },
  ];
  const { id } = await post<{ id: string }>("/contracts", {
    chain: "local",
    address: token.address,
    selected_targets,
  });
  const targets = await body<Target[]>(owner.client.get(`/contracts/${id}/targets`));
  const idOf = (type: string) => targets.find(({ target_type }) => target_type === type)?.id ?? "";
  const condition = { operator: "gt", threshold: 0, aggregation: "max", window_seconds: 60 };
  const target_id = idOf("event_value");
  await post("/alerts", { target_id, severity: "info", record_only: true, condition, cooldown_seconds: 0 });
  return { id, state: idOf("native_balance") };
}

/** Every sixth provider in `npm test`, other ones than on the simulated chain; every one in the long run. */
const everyNth = runSize("ZOO_EVERY", { short: 6, long: 1 });
const visited = behaviours
  .filter((_, index) => everyNth === 1 || index % everyNth !== 0)
  .filter(({ onDevelopmentNode }) => onDevelopmentNode)
  .filter((_, index) => index % everyNth === 0);

test.each(visited.map((one) => [one.name, one] as const))(
  "a development node behind a provider that %s loses, invents and delays no alert",
  async (_, behaviour) => {
    for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
      await h.app.db.deleteFrom(table).execute();
    // A provider may show an earlier head at first, and transfers of other tests must not count.
    await node.client.mine({ blocks: 3 });
    const watched = await watchToken(!behaviour.readsLogs);
    const clock = fastClock(20);
    provider.setManners(behaviour.manners(() => clock.now().getTime()));
    const urls = [behaviour.isSocketOnly ? provider.socketUrl : provider.url];
    const reader = makeEvmReader({ chain: local, urls, clock, timeoutMs: 400 });
    const follower = new Follower(h.app, local, reader);
    const step = () => follower.step().catch((error: unknown) => recordFailure(h.app, local, error));
    try {
      await reach(step, () => follower.cursor !== undefined);
      const sent: string[] = [];
      for (let number = 0; number < 3; number++) {
        // Each transfer is in a window of its own, so that each fires.
        await node.client.increaseTime({ seconds: 120 });
        await node.client.mine({ blocks: 1 });
        const receipt = await token.send("transfer", [node.accounts[1], 1n]);
        sent.push(receipt.transactionHash);
        await reach(step, () => follower.cursor?.height === Number(receipt.blockNumber));
      }
      const events = await body<AlertEvent[]>(owner.client.get(`/alerts/history?contract_id=${watched.id}`));
      expect(events.map(({ tx_hash }) => tx_hash).reverse()).toEqual(sent);
      await verifyStatus(behaviour.says, step, watched.state);
    } finally {
      provider.setManners({});
      await follower.stop();
      await reader.close();
      await owner.client.delete(`/contracts/${watched.id}`);
    }
  },
  60_000,
);

async function reach(step: () => Promise<unknown>, isThere: () => boolean): Promise<void> {
  for (let steps = 0; steps < 4 && !isThere(); steps++) await step();
  expect(isThere(), "the block is committed within four steps").toBe(true);
}

async function verifyStatus(
  { of, what }: { of: "chain" | "target"; what: RegExp },
  step: () => Promise<unknown>,
  state: string,
): Promise<void> {
  let said = "";
  for (let attempts = 0; attempts < 400; attempts++) {
    await step();
    const chains = await body<ChainInfo[]>(owner.client.get("/chains"));
    const chain = chains.find((one) => one.chain === local.chain);
    const { status_reason } = await h.app.db
      .selectFrom("targets")
      .select("status_reason")
      .where("id", "=", state)
      .executeTakeFirstOrThrow();
    said = (of === "chain" ? chain?.status_reason : status_reason) ?? "";
    if (what.test(said)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(said).toMatch(what);
}
