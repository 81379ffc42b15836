import { newId } from "../../app.ts";
import type { AddressHistory, AddressPast, BlockRef, PastBlocks } from "../../chains/reader.ts";
import { ChainError, PrunedHistory } from "../../chains/reader.ts";
import {
  addNotCounted,
  advanceCatchUp,
  type CatchUpGroup,
  endCatchUp,
  listCatchUps,
} from "../../store/contracts/catch-up.ts";
import type { Db } from "../../store/open-store.ts";
import { insertAuditEntries } from "../../store/orgs/audit-log.ts";
import { emptyChangeSet } from "../commit/change-set.ts";
import { commit } from "../commit/commit.ts";
import type { WatchedContract } from "../watch/watch-list.ts";
import { type ChainState, finalityAt, type Lease, type Parts } from "./apply-batch.ts";
import { addressesToRead, applyPast, loadSuspendedParts } from "./catch-up-engine.ts";

/** Catch-ups that are read at the same time. */
const maxLanes = 4;
/** A catch-up that failed so often because the nodes do not return a transaction goes on without it. */
const attemptsWithMissing = 5;
/** The nodes go on pruning while the rest is read, so the oldest minute that they have is skipped as well. */
const prunedMargin = 150;

type Result = PastBlocks | { error: unknown };

/** The catch-up of some contracts, from one height on. */
type Lane = {
  group: CatchUpGroup;
  /** Everything up to this height is counted. */
  after: number;
  history: AddressHistory;
  isReading: boolean;
  result: Result | undefined;
  /** The committed block at which the contracts join the others. */
  joinAt: number | undefined;
};

/** The newest committed block, the head and the lease of a step. */
export type CatchUpStep = { chainState: ChainState; head: BlockRef; lease: Lease };

/** An address that could not be read while its contracts caught up. */
export type FailedCatchUp = { addresses: string[]; attempts: number; problem: string };

/**
 * Counts what contracts missed while addresses of theirs were suspended: beside the chain, from the oldest slot on, with the
 * rules as they were then. When they have reached a committed block, they are followed together with the others again.
 */
export class CatchUps {
  private readonly parts: Parts;
  private readonly past: AddressPast;
  private lanes: Lane[] = [];
  private onReady: (() => void) | undefined;

  constructor(parts: Parts, past: AddressPast) {
    this.parts = parts;
    this.past = past;
  }

  /** Starts the catch-ups that are due. */
  async start(): Promise<void> {
    const { app, chain } = this.parts;
    const running = new Set(this.lanes.flatMap(({ group }) => group.contract_ids));
    for (const group of await listCatchUps(app.db, chain.chain)) {
      if (this.lanes.length >= maxLanes) return;
      if (group.contract_ids.some((id) => running.has(id))) continue;
      const contracts = await loadSuspendedParts(app, chain, group.contract_ids);
      const addresses = addressesToRead(contracts);
      for (const address of group.addresses) addresses.add(address);
      const history = this.past.open(addresses);
      const after = group.last_height;
      this.lanes.push({ group, after, history, isReading: false, result: undefined, joinAt: undefined });
    }
  }

  /** Applies what was read, and reads on. Returns the catch-ups that failed. */
  async advance(step: CatchUpStep): Promise<FailedCatchUp[]> {
    const failed: FailedCatchUp[] = [];
    for (const lane of [...this.lanes]) {
      const { result } = lane;
      lane.result = undefined;
      const problem = result && (await this.apply(lane, result, step));
      if (problem === undefined) await this.proceed(lane, step);
      else {
        this.end(lane);
        failed.push({ addresses: lane.group.addresses, attempts: lane.group.attempts, problem });
      }
    }
    const held = this.lanes.flatMap(({ joinAt }) => joinAt ?? []);
    this.past.hold(held.length > 0 ? Math.min(...held) : undefined);
    return failed;
  }

  /** Calls back once when something was read. */
  whenReady(callback: () => void): void {
    if (this.lanes.some(({ result }) => result)) callback();
    else this.onReady = callback;
  }

  /** Forgets the catch-ups above a height, which begin there again. */
  rollBackTo(height: number): void {
    this.lanes = this.lanes.filter(({ after }) => after <= height);
    for (const lane of this.lanes) if ((lane.joinAt ?? 0) > height) lane.joinAt = undefined;
  }

  /** Forgets everything that the store has. */
  clear(): void {
    this.lanes = [];
  }

  private async proceed(lane: Lane, step: CatchUpStep): Promise<void> {
    if (lane.isReading || !this.lanes.includes(lane)) return;
    const { refs, cursor } = step.chainState;
    if (lane.joinAt !== undefined && !refs.some(({ height }) => height === lane.joinAt))
      lane.joinAt = undefined;
    if (lane.joinAt !== undefined && lane.after >= lane.joinAt) return this.join(lane, step);
    const to = Math.min(lane.joinAt ?? cursor.height, this.past.stableTo());
    if (to > lane.after) this.read(lane, to);
    // The oldest block that is not counted yet is reached first, and the one that a fork replaces last.
    else if (lane.joinAt === undefined)
      lane.joinAt = refs.findLast(({ height }) => height >= lane.after)?.height;
  }

  /** Reads on, unless the calls of the day are used up. */
  private read(lane: Lane, to: number): void {
    if (this.parts.reader.mayReadBlocks?.() === false) return;
    const skipsMissing = lane.group.attempts >= attemptsWithMissing;
    lane.isReading = true;
    lane.history
      .read(lane.after, to, { skipsMissing })
      .catch((error: unknown) => ({ error }))
      .then((result) => {
        lane.isReading = false;
        lane.result = result;
        this.onReady?.();
        this.onReady = undefined;
      });
  }

  /** Returns why the catch-up cannot go on. */
  private async apply(lane: Lane, result: Result, step: CatchUpStep): Promise<string | undefined> {
    if (!("error" in result)) return void (await this.count(lane, result, step));
    const { error } = result;
    if (error instanceof PrunedHistory) return void (await this.skip(lane, error, step));
    if (!(error instanceof ChainError))
      this.parts.app.log.error({ error, chain: this.parts.chain.chain }, "catch-up failed");
    const text = error instanceof ChainError ? error.publicMessage : "of an internal error";
    return `cannot be read, because ${text.replace(/^The /, "the ").replace(/\.$/, "")}`;
  }

  private async count(lane: Lane, { blocks, to, missing }: PastBlocks, step: CatchUpStep): Promise<void> {
    const { app, chain, reader, partitions } = this.parts;
    if (to <= lane.after) return;
    const contracts = await loadSuspendedParts(app, chain, lane.group.contract_ids);
    const time = (await reader.blockRef(lane.after))?.time ?? blocks[0]?.time ?? step.head.time;
    const changes = await applyPast(app, chain, contracts, blocks, {
      after: { height: lane.after, time },
      newest: step.chainState.cursor,
      headTime: step.head.time,
    });
    await partitions.ensure(
      app,
      changes.samples.map((sample) => sample.time),
    );
    await this.write(lane, to, step, changes, async (tx) => {
      if (missing.length > 0) await this.recordMissing(tx, contracts, lane, missing);
    });
  }

  /** Goes on after the slots that no node has any more. The gap is recorded. */
  private async skip(lane: Lane, { oldest }: PrunedHistory, step: CatchUpStep): Promise<void> {
    const to = Math.min(oldest + prunedMargin, Math.max(this.past.stableTo(), oldest));
    const from = lane.after + 1;
    const sentence = `Nothing from slot ${from} to slot ${to} was counted, because no node has these slots any more.`;
    const contracts = await loadSuspendedParts(this.parts.app, this.parts.chain, lane.group.contract_ids);
    await this.write(lane, to, step, emptyChangeSet(), async (tx) => {
      await addNotCounted(tx, lane.group.contract_ids, sentence);
      await this.audit(tx, contracts, { from_block: from, to_block: to });
    });
  }

  private async recordMissing(tx: Db, contracts: WatchedContract[], lane: Lane, missing: string[]) {
    const sentence = `Not counted, because the nodes list but do not return them: ${missing.slice(0, 5).join(", ")}.`;
    await addNotCounted(tx, lane.group.contract_ids, sentence);
    await this.audit(tx, contracts, { transactions: missing.slice(0, 50) });
  }

  /** Writes changes together with the height that was reached. Forgets the catch-up if its contracts changed in the meantime. */
  private async write(
    lane: Lane,
    to: number,
    { chainState, head, lease }: CatchUpStep,
    changes: ReturnType<typeof emptyChangeSet>,
    more: (tx: Db) => Promise<void>,
  ): Promise<void> {
    const { app, chain, reader } = this.parts;
    const reason = `The suspended addresses can be followed again. What happened since is being counted: everything up to slot ${to} is.`;
    const reached = await finalityAt(chain, reader, head);
    const alongside = async (tx: Db) => {
      const moved = { from: lane.after, to, reason, now: app.clock.now() };
      if (!(await advanceCatchUp(tx, lane.group.contract_ids, moved))) throw new ChangedMeanwhile();
      await more(tx);
    };
    try {
      await commit(app, {
        chain: chain.chain,
        changes,
        cursor: chainState.cursor,
        lease,
        reached,
        alongside,
      });
      lane.after = to;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      this.end(lane);
    }
  }

  private async join(lane: Lane, { chainState, head, lease }: CatchUpStep): Promise<void> {
    const { app, chain, reader } = this.parts;
    const { contract_ids } = lane.group;
    const reason = `Monitoring resumed after slot ${lane.after}. What happened during the suspension was counted.`;
    const contracts = await loadSuspendedParts(app, chain, contract_ids);
    await commit(app, {
      chain: chain.chain,
      changes: emptyChangeSet(),
      cursor: chainState.cursor,
      lease,
      reached: await finalityAt(chain, reader, head),
      alongside: (tx) => endCatchUp(tx, { chain: chain.chain, contract_ids, reason, now: app.clock.now() }),
    });
    chainState.engine.forgetReadings(contracts.flatMap(({ targets }) => targets));
    this.end(lane);
    app.log.info(
      { chain: chain.chain, contracts: contract_ids.length, after: lane.after },
      "contracts resumed",
    );
  }

  private async audit(tx: Db, contracts: WatchedContract[], details: object): Promise<void> {
    const { app } = this.parts;
    await insertAuditEntries(
      tx,
      contracts.map(({ id, org_id }) => ({
        id: newId(app),
        org_id,
        actor_type: "system" as const,
        action: "contract.skipped",
        subject_type: "contract",
        subject_id: id,
        details: JSON.stringify(details),
        created_at: app.clock.now(),
      })),
    );
  }

  private end(lane: Lane): void {
    this.lanes = this.lanes.filter((other) => other !== lane);
  }
}

/** Someone paused, resumed or suspended one of the contracts, so that what was read does not apply. */
class ChangedMeanwhile extends Error {
  override name = "ChangedMeanwhile";
}
