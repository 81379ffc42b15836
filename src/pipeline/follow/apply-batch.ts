import type { App } from "../../app.ts";
import type { Block } from "../../chains/block.ts";
import type { Chain } from "../../chains/chain.ts";
import type { BlockRef, ChainReader, Fork } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import { retainedBlocks } from "../../store/engine/blocks.ts";
import type { Cursor } from "../../store/engine/cursors.ts";
import { emptyChangeSet } from "../commit/change-set.ts";
import { commit, type ScanFilter } from "../commit/commit.ts";
import type { SamplePartitions } from "../commit/sample-partitions.ts";
import type { FinalityReached } from "../commit/write-events.ts";
import type { Loaded } from "../watch/load-state.ts";
import { addCauses, amendLater } from "./add-causes.ts";
import { addSenders } from "./add-senders.ts";
import { type Applying, applyBlock, applyCodeChanges } from "./apply-block.ts";
import type { AuxiliaryReads } from "./auxiliary-reads.ts";

/** State is read up to this far behind the head. Further back, nodes may no longer have it, and its value is out of date. */
const stateReadDepth = 64;
const stateReadSeconds = 120;

/** The engine state, the cursor and the references of the newest committed blocks, newest first. */
export type ChainState = Loaded & {
  cursor: Cursor;
  refs: BlockRef[];
  /** The filters of scans whose events are stored. */
  storedFilters: Set<string>;
};

export type Lease = { fence: number };

/** Blocks that link to the cursor or, after a reorganisation, to the fork. */
export type BlockBatch = {
  blocks: Block[];
  /** The plan by which they were read. Code that is discovered with them may change that of the engine. */
  plan: ReadingPlan;
  parent: Cursor;
  head: BlockRef;
  fork: Fork | undefined;
};

export type Parts = {
  app: App;
  chain: Chain;
  reader: ChainReader;
  partitions: SamplePartitions;
  auxiliary: AuxiliaryReads;
};

/** Applies a batch of blocks to the engine state and commits it under the lease. */
export async function applyBatch(
  { app, chain, reader, partitions, auxiliary }: Parts,
  chainState: ChainState,
  { blocks, plan, parent, head, fork }: BlockBatch,
  lease: Lease,
): Promise<void> {
  const { engine } = chainState;
  const changes = emptyChangeSet(fork?.ancestor.height);
  // Blocks may be a fraction of a second apart, and hours apart on a development chain.
  const isFresh = ({ height, time }: { height: number; time: number }) =>
    head.height - height <= stateReadDepth || head.time - time <= stateReadSeconds;
  const applying = { app, engine, reader, auxiliary, changes, parent };
  engine.observeHead(head.time);
  auxiliary.startCommit();
  if (isFresh(parent)) await discover(applying, parent);
  const { height, hash, time } = blocks.at(-1) as Block;
  if (isFresh({ height, time })) {
    const scan = auxiliary.activity.start(parent.height + 1, height, engine.watchList.plan);
    await auxiliary.patience.waitFor(scan);
  }
  for (const block of await auxiliary.traces.addTo(blocks, engine.watchList))
    await applyBlock(applying, block, isFresh(block));
  await auxiliary.holders.follow(engine, blocks);
  auxiliary.vaults.observe(engine, blocks);
  auxiliary.lookups.observe(engine, blocks);
  await addSenders(reader, changes, auxiliary.senderPatience);
  const late = await addCauses(auxiliary.causes, changes, auxiliary.causePatience);
  await partitions.ensure(
    app,
    [...blocks, ...changes.samples].map(({ time }) => time),
  );
  const cursor = { height, hash, time };
  const reached = await finalityAt(chain, reader, head);
  const scanFilter = newScanFilter(chainState, plan, blocks);
  const ids = await commit(app, { chain: chain.chain, changes, cursor, lease, reached, scanFilter });
  engine.states.renameEvents(ids);
  void amendLater(app, late, ids);
  // Only now is everything about the groups in the store.
  engine.evictGroups();
  chainState.cursor = cursor;
  chainState.refs = [...changes.blocks.toReversed(), ...chainState.refs].slice(0, retainedBlocks);
  // Storing one has deleted those that no stored block was scanned for.
  if (scanFilter)
    chainState.storedFilters = new Set(chainState.refs.flatMap(({ scan }) => (scan ? scan.filter : [])));
}

/** What the blocks were scanned for, if that is not stored yet. */
function newScanFilter(
  { storedFilters }: ChainState,
  plan: ReadingPlan,
  blocks: Block[],
): ScanFilter | undefined {
  if (plan.reads !== "logs" || storedFilters.has(plan.filter)) return undefined;
  return blocks.some(({ scan }) => scan?.filter === plan.filter) ? plan : undefined;
}

/** Looks up the code or the interface of new contracts, and applies what was found. */
async function discover(applying: Applying, parent: Cursor): Promise<void> {
  const { engine, auxiliary } = applying;
  await auxiliary.patience.waitFor(auxiliary.lookups.start(engine, parent));
  for (const { contract, code, at } of auxiliary.lookups.take(engine, parent.time))
    await applyCodeChanges(applying, new Map([[contract, code]]), at);
  await auxiliary.patience.waitFor(auxiliary.holders.start(engine, parent));
  // Not waited for: a search that hangs delays nothing else.
  void auxiliary.vaults.start(engine, parent);
}

export async function finalityAt(
  chain: Chain,
  reader: ChainReader,
  head: BlockRef,
): Promise<FinalityReached> {
  const depth = Math.max(0, head.height - chain.finality_depth);
  const reported = (await reader.finality()) ?? { safe: depth, finalized: depth };
  return { head: head.height, ...reported };
}
