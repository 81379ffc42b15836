import { sql } from "kysely";
import { expect } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { recordFailure } from "../../src/pipeline/follow/run-chain.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { makeDice } from "../pipeline/dice.ts";
import { verifyStore } from "../pipeline/verify.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { pathTo, type SimBlock, Tree } from "../simchain/tree.ts";
import { watchSimulated } from "../simchain/watch.ts";
import type { Harness, Person } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import type { Behaviour } from "./behaviour.ts";
import { serveProvider } from "./proxy.ts";

export type Cage = { h: Harness; owner: Person };

/** Blocks per member; ZOO_BLOCKS=100 for the long version. */
const blocks = runSize("ZOO_BLOCKS", { short: 3, long: 40 });
/** The polling interval that the operator chose for a chain without one of its own: the block time of Ethereum. */
const usualPollMs = 12_000;
/** A block that takes this long is lost. */
const lostAfterMs = 600_000;
/** The real time after which something that comes beside the blocks does not come any more. A busy machine needs some of it. */
const maxRealWaitMs = 60_000;

/**
 * Follows the simulated chain through a provider, and compares all that the engine wrote with the chain. Returns how long the
 * slowest block took from its appearance to its commit, and the polling interval, both in simulated time.
 */
export async function visit(
  { h, owner }: Cage,
  behaviour: Behaviour,
  seed: number,
): Promise<{ delayMs: number; pollMs: number }> {
  const { logIndexOf } = behaviour;
  const chain = chainOf(behaviour.chain ?? "local") as Chain;
  await forgetChains({ h, owner });
  const watched = await watchSimulated(owner.client, makeDice(seed), { chain: chain.chain });
  const more = await watchMore(owner, chain.chain, behaviour);
  const tree = new Tree(seed, { transactions: 3, ...behaviour.blocks });
  tree.grow(8);
  const node = await makeNode(tree, { chainId: chain.chain_id });
  const provider = await serveProvider(node.url);
  const { pool } = h.app;
  const clock = fastClock(20, () => pool.totalCount > pool.idleCount);
  provider.setManners(behaviour.manners(() => clock.now().getTime()));
  const urls = [
    behaviour.isSocketOnly ? provider.socketUrl : provider.url,
    ...(behaviour.besideHealthyNode ? [node.url] : []),
  ];
  const reader = makeEvmReader({
    ...{ chain, urls, clock, timeoutMs: 400 },
    ...(!behaviour.chain && { pollMs: usualPollMs }),
  });
  // One clock for the reader and the engine, so that delays can be added.
  const app = { ...h.app, clock };
  const follower = new Follower(app, chain, reader);
  const seen = new Set<string>();
  const step = () => follower.step().catch((error: unknown) => recordFailure(app, chain, error));
  try {
    const reach = (isThere: () => boolean) => reachInTime(clock, step, isThere);
    await reach(() => follower.cursor !== undefined);
    const delays: number[] = [];
    const startHeight = follower.cursor?.height ?? 0;
    for (let number = 0; number < blocks; number++) {
      if (number === 2) tree.reorganise(2);
      else tree.setTip(tree.extend(tree.tip, { seconds: 20 }));
      delays.push(await reach(() => follower.cursor?.hash === tree.tip.hash));
      for (const sentence of await sentences({ h, owner }, chain, more.state)) seen.add(sentence);
    }
    await verifyStore(h.app.db, { tip: tree.tip, startHeight, watched, chain: chain.chain, logIndexOf });
    if (more.rate) await verifyTransactions(h, more.rate, { tip: tree.tip, startHeight });
    await verifyStatus(behaviour, seen, async () => {
      await step();
      return sentences({ h, owner }, chain, more.state);
    });
    await verifyReadings(h, behaviour, more.state, async () => {
      tree.setTip(tree.extend(tree.tip, { seconds: 20 }));
      await step();
    });
    return { delayMs: Math.max(...delays), pollMs: (reader.pace?.().pollSeconds ?? 0) * 1000 };
  } finally {
    await follower.stop();
    await reader.close();
    await provider.close();
    await node.close();
  }
}

/** Steps until something is reached, and returns the simulated time that it took. */
async function reachInTime(
  clock: Clock,
  step: () => Promise<unknown>,
  isThere: () => boolean,
): Promise<number> {
  const startedAt = clock.now().getTime();
  const elapsedMs = () => clock.now().getTime() - startedAt;
  while (!isThere() && elapsedMs() < lostAfterMs) await step();
  expect(isThere(), "the block is committed").toBe(true);
  return elapsedMs();
}

/** Adds a contract whose transactions are counted with their receipts, and one whose state is read. */
async function watchMore(owner: Person, chain: string, { stateTargets = 2, readsLogs }: Behaviour) {
  const [, , third, fourth] = contracts;
  const create = async (address: string | undefined, selected_targets: object[]) => {
    const { body, status, text } = await owner.client.post("/contracts", {
      chain,
      address,
      selected_targets,
    });
    if (status !== 200) throw new Error(text);
    const { id } = body as { id: string };
    return (await owner.client.get(`/contracts/${id}/targets`)).body as Target[];
  };
  const slots = Array.from({ length: stateTargets }, (_, slot) => ({
    target_type: "storage_slot",
    config: { slot: `0x${slot.toString(16)}` },
  }));
  const [rate] = readsLogs ? [] : await create(third, [{ target_type: "tx_rate" }]);
  const state = await create(fourth, slots);
  return { rate: rate?.id, state: state.map(({ id }) => id) };
}

/** The sentences in the status of the chain and of the state targets. */
async function sentences({ h, owner }: Cage, { chain }: Chain, state: string[]): Promise<string[]> {
  const chains = (await owner.client.get("/chains")).body as ChainInfo[];
  const reason = chains.find((one) => one.chain === chain)?.status_reason ?? "";
  const { rows } = await sql<{ status_reason: string | null }>`
    select status_reason from targets where id = any(${state}::uuid[])`.execute(h.app.db);
  return [`chain: ${reason}`, ...rows.map(({ status_reason }) => `target: ${status_reason ?? ""}`)];
}

/** Reads that time out may settle after the last block. */
async function verifyStatus(
  { says: { of, what } }: Behaviour,
  seen: Set<string>,
  more: () => Promise<string[]>,
): Promise<void> {
  const isSaid = () =>
    [...seen].some((sentence) => sentence.startsWith(`${of}: `) && what.test(sentence.slice(of.length + 2)));
  for (const deadline = Date.now() + maxRealWaitMs; Date.now() < deadline && !isSaid(); ) {
    for (const sentence of await more()) seen.add(sentence);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  // Hosts of endpoints are for the operator only.
  expect([...seen].join()).not.toContain("127.0.0.1");
  expect(isSaid() ? what : [...seen]).toEqual(what);
}

/** Each transaction to the contract is counted once. */
async function verifyTransactions(
  h: Harness,
  series_id: string,
  { tip, startHeight }: { tip: SimBlock; startHeight: number },
): Promise<void> {
  const expected = pathTo(tip)
    .filter(({ height }) => height > startHeight)
    .flatMap(({ height, transactions }) =>
      transactions
        .filter(({ to }) => to === contracts[2])
        .map(({ hash, is_success }) => `${height} ${hash} ${is_success ? "success" : "failed"}`),
    );
  const { rows } = await sql<{ sample: string }>`
    select concat_ws(' ', height, evidence->>'tx_hash', evidence->>'status') as sample
    from samples where series_id = ${series_id} order by height, position`.execute(h.app.db);
  expect(rows.map(({ sample }) => sample)).toEqual(expected);
}

/** State is read beside the blocks, so that it may come some blocks later. A read that failed is tried again at a later block. */
async function verifyReadings(
  h: Harness,
  { readsState }: Behaviour,
  state: string[],
  mineAndStep: () => Promise<unknown>,
): Promise<void> {
  const hasReadings = async () => {
    const { rows } = await sql`
      select from samples where series_id = any(${state}::uuid[]) limit 1`.execute(h.app.db);
    return rows.length > 0;
  };
  for (const deadline = Date.now() + maxRealWaitMs; readsState && !(await hasReadings()); ) {
    if (Date.now() > deadline) break;
    await mineAndStep();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(await hasReadings(), "state is read").toBe(readsState);
}

/** Clears the data of all chains, so that each visit starts empty. */
async function forgetChains({ h, owner }: Cage): Promise<void> {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const)
    await h.app.db.deleteFrom(table).execute();
  const known = (await owner.client.get("/contracts")).body as { id: string }[];
  for (const { id } of known) await owner.client.delete(`/contracts/${id}`);
  for (const table of ["alert_notices", "alert_events", "samples"] as const)
    await h.app.db.deleteFrom(table).execute();
}
