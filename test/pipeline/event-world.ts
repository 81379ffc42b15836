import { expect } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { ReadingPlan } from "../../src/chains/reading-plan.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { contracts, topics } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { pathTo, Tree } from "../simchain/tree.ts";
import type { Harness } from "../support/harness.ts";
import { patientLimits } from "../support/patient-limits.ts";
import { type Manners, serveProvider } from "../zoo/proxy.ts";
import { transferSignature } from "./world.ts";

export const local = chainOf("local") as Chain;
/** A chain whose headers are read only where blocks have watched events. */
export const fast: Chain = { ...local, block_time_ms: 250, alwaysProducesBlocks: true };
const [address = ""] = contracts;

export type EventWorld = Awaited<ReturnType<typeof startEventWorld>>;

/** A rule for which every transfer of a token is an event, on a simulated chain behind a provider. */
export async function startEventWorld(
  h: Harness,
  { chain = local, manners = {} as Manners, seed = 3, transactions = 3, threshold = 1 } = {},
) {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
    await h.app.db.deleteFrom(table).execute();
  const { client, org_id } = await h.personOn("enterprise");
  const selected_targets = [
    { target_type: "event_frequency", config: { event_signature: transferSignature } },
  ];
  const created = await client.post("/contracts", { chain: "local", address, selected_targets });
  const { id } = created.body as { id: string };
  const [target] = (await client.get(`/contracts/${id}/targets`)).body as { id: string }[];
  const condition = { operator: "gte", threshold, aggregation: "each" };
  await client.post("/alerts", { target_id: target?.id, severity: "info", record_only: true, condition });
  const tree = new Tree(seed, { transactions });
  tree.grow(3);
  const node = await makeNode(tree);
  const provider = await serveProvider(node.url);
  const openReader = () =>
    makeEvmReader({ chain, urls: [provider.url], clock: fastClock(20), ...patientLimits });
  let reader = openReader();
  let follower = new Follower(h.app, chain, reader);
  /** Replaces the engine by one that knows only what is stored. */
  const restart = async () => {
    await follower.stop();
    await reader.close();
    reader = openReader();
    follower = new Follower(h.app, chain, reader);
  };
  const close = async () => {
    await client.delete(`/contracts/${id}`);
    await follower.stop();
    await reader.close();
    await provider.close();
    await node.close();
  };
  await follower.step();
  provider.setManners(manners);
  const startHeight = tree.tip.height;
  /** The expected sender of each transfer, by transaction. */
  const transfers = () =>
    pathTo(tree.tip)
      .filter(({ height }) => height > startHeight)
      .flatMap((block) => block.transactions.flatMap((tx) => tx.logs.map((log) => ({ log, tx }))))
      .filter(({ log }) => log.address === address && log.topics[0] === topics.transfer)
      .map(({ tx }) => [tx.hash, tx.from] as const)
      .sort();
  const events = async () =>
    ((await client.get(`/alerts/history?contract_id=${id}&limit=200`)).body as AlertEvent[]).reverse();
  const senders = async () =>
    (await events())
      .map(
        ({ tx_hash, explanation }) =>
          [tx_hash, (explanation.evidence as { sender: unknown }).sender] as const,
      )
      .sort();
  /** Steps until the head is committed. */
  const reachHead = async (reads: ReadingPlan["reads"] = "logs") => {
    for (let steps = 0; steps < 8 && follower.cursor?.hash !== tree.tip.hash; steps++) await follower.step();
    expect(follower.cursor?.hash).toBe(tree.tip.hash);
    expect(follower.state?.engine.watchList.plan.reads).toBe(reads);
  };
  return {
    client,
    org_id,
    id,
    address,
    tree,
    get follower() {
      return follower;
    },
    get reader() {
      return reader;
    },
    restart,
    provider,
    transfers,
    events,
    senders,
    reachHead,
    close,
  };
}
