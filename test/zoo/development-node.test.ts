import { toHex } from "viem";
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
import type { Behaviour } from "./behaviour.ts";
import { behaviours } from "./behaviours.ts";
import { serveProvider } from "./proxy.ts";

const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";
const node = await startNode();
/** The development node, with the id of the chain that is followed. */
const healthy = await serveProvider(node.url);
const provider = await serveProvider(healthy.url);
const chainOfBehaviour = ({ chain = "local" }: Behaviour) => chainOf(chain) as Chain;
const keys = new Set(behaviours.map((behaviour) => chainOfBehaviour(behaviour).chain.toUpperCase()));
const env = Object.fromEntries([...keys].map((key) => [`RPC_${key}`, provider.url]));
const h = await harness({ env });
const owner = await h.personOn("enterprise");
const token = await node.deploy("Token", 10n ** 24n);
afterAll(async () => {
  await provider.close();
  await healthy.close();
});

const body = async <Thing>(reply: ReturnType<typeof owner.client.get>): Promise<Thing> => {
  const { status, body: content, text } = await reply;
  if (status >= 300) throw new Error(text);
  return content as Thing;
};
const post = <Thing>(path: string, content: object) => body<Thing>(owner.client.post(path, content));

/** Watches the token by its events and by its state; each transfer is an event of the rule. */
async function watchToken({ chain }: Chain, { readsLogs, stateTargets = 1 }: Behaviour) {
  const slots = Array.from({ length: stateTargets - 1 }, (_, slot) => ({
    target_type: "storage_slot",
    config: { slot: toHex(slot) },
  }));
  const selected_targets = [
    { target_type: "event_value", config: { event_signature: transfer, arg: "value" } },
    { target_type: "native_balance" },
    // Whole blocks are read with receipts, or with the logs of all addresses.
    { target_type: readsLogs ? "unique_callers" : "tx_rate" },
    ...slots,
  ];
  const { id } = await post<{ id: string }>("/contracts", {
    chain,
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

/** Every twelfth provider in `npm test`, other ones than on the simulated chain; every one in the long run. */
const everyNth = runSize("ZOO_EVERY", { short: 12, long: 1 });
const visited = behaviours
  .filter((_, index) => everyNth === 1 || index % 6 !== 0)
  .filter(({ notOnDevelopmentNode }) => notOnDevelopmentNode === undefined)
  .filter((_, index) => index % everyNth === 0);

test.each(visited.map((behaviour) => [behaviour.name, behaviour] as const))(
  "a development node behind a provider that %s loses, invents and delays no alert",
  async (_, behaviour) => {
    for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
      await h.app.db.deleteFrom(table).execute();
    // A provider may show an earlier head at first, and transfers of other tests must not count.
    await node.client.mine({ blocks: 3 });
    const chain = chainOfBehaviour(behaviour);
    const watched = await watchToken(chain, behaviour);
    const clock = fastClock(20);
    const chainId = { result: toHex(chain.chain_id) };
    healthy.setManners({
      call: (call, forward) => (call.method === "eth_chainId" ? chainId : forward(call)),
    });
    provider.setManners(behaviour.manners(() => clock.now().getTime()));
    const urls = [
      behaviour.isSocketOnly ? provider.socketUrl : provider.url,
      ...(behaviour.besideHealthyNode ? [healthy.url] : []),
    ];
    const reader = makeEvmReader({ chain, urls, clock, timeoutMs: 400 });
    const follower = new Follower(h.app, chain, reader);
    const step = () => follower.step().catch((error: unknown) => recordFailure(h.app, chain, error));
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
      await verifyStatus({ ...behaviour.says, chain }, step, watched.state);
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

/** What a development node itself does not support, on every chain. */
const ofTheNode =
  /Node 1 of \d does not support eth_getBlockReceipts; other requests are used where there are any\./;

async function verifyStatus(
  { of, what, chain }: Behaviour["says"] & { chain: Chain },
  step: () => Promise<unknown>,
  state: string,
): Promise<void> {
  let said = "";
  for (let attempts = 0; attempts < 400; attempts++) {
    await step();
    const chains = await body<ChainInfo[]>(owner.client.get("/chains"));
    const info = chains.find((one) => one.chain === chain.chain);
    const { status_reason } = await h.app.db
      .selectFrom("targets")
      .select("status_reason")
      .where("id", "=", state)
      .executeTakeFirstOrThrow();
    said = (of === "chain" ? info?.status_reason : status_reason) ?? "";
    if (what.test(said) || what.test(said.replace(ofTheNode, ""))) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(said).toMatch(what);
}
