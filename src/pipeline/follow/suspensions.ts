import { inSeconds } from "../../app.ts";
import type { UnreadableAddress } from "../../chains/reader.ts";
import { backoffAfter } from "../../lib/concurrency/exponential-backoff.ts";
import { urgentTransaction } from "../../store/connection/urgent-transaction.ts";
import { beginCatchUp, deleteOldSuspensions } from "../../store/contracts/catch-up.ts";
import {
  listDueSuspensions,
  lowestHeights,
  postponeSuspension,
  recordSuspension,
  rewindSeries,
} from "../../store/contracts/suspended-contracts.ts";
import { moveCursor } from "../../store/engine/cursors.ts";
import { listWatchedOf } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { LeaseLost } from "../commit/commit.ts";
import { transactionAddressesOf } from "../watch/transaction-addresses.ts";
import { seriesOf, type WatchedContract } from "../watch/watch-list.ts";
import type { Parts } from "./apply-batch.ts";
import { suspendedPart } from "./catch-up-engine.ts";
import { type CatchUpStep, CatchUps } from "./catch-ups.ts";

/** The first wait before an address is checked again; each further one is twice as long, up to a maximum. */
const waitsSeconds = {
  failing: { first: 30, max: 3_600 },
  busy: { first: 600, max: 6 * 3_600 },
};
/** The interval at which due suspensions are searched for. */
const checkMs = 15_000;
/** An address that is suspended again within this time waits longer than before. */
const rememberedMs = 6 * 3_600_000;

type Checked = { address: string; attempts: number; problem: string | undefined };

/**
 * Suspends the targets that count transactions of an address that cannot be followed. When it can be, they count what they
 * missed and resume by themselves. Addresses are checked beside the blocks, so that a slow answer delays nothing.
 */
export class Suspensions {
  private readonly parts: Parts;
  private readonly catchUps: CatchUps | undefined;
  private nextCheckMs = 0;
  private readonly checking = new Set<string>();
  private checked: Checked[] = [];
  private readonly earlier = new Map<string, { attempts: number; atMs: number }>();

  constructor(parts: Parts) {
    this.parts = parts;
    this.catchUps = parts.reader.past && new CatchUps(parts, parts.reader.past);
  }

  /** Suspends addresses that the reader cannot follow, and resumes those that it can follow again. */
  async update(step: CatchUpStep): Promise<void> {
    const { app, chain, reader } = this.parts;
    for (let address = reader.popUnreadableAddress?.(); address; address = reader.popUnreadableAddress?.())
      await this.suspend(step, address);
    const nowMs = app.clock.now().getTime();
    const isDue = nowMs >= this.nextCheckMs;
    if (isDue) {
      this.nextCheckMs = nowMs + checkMs;
      await this.startChecks();
      await deleteOldSuspensions(app.db, chain.chain, step.chainState.refs.at(-1)?.height ?? 0);
    }
    const { checked } = this;
    this.checked = [];
    for (const check of checked) await this.apply(step, check);
    if (isDue || checked.length > 0) await this.catchUps?.start();
    for (const { addresses, attempts, problem } of (await this.catchUps?.advance(step)) ?? [])
      for (const address of addresses) await this.apply(step, { address, attempts, problem });
  }

  /** Calls back once when something was read of the past of an address. */
  whenReady(callback: () => void): void {
    this.catchUps?.whenReady(callback);
  }

  rollBackTo(height: number): void {
    this.catchUps?.rollBackTo(height);
  }

  /** Forgets everything that the store has. */
  clear(): void {
    this.catchUps?.clear();
    this.nextCheckMs = 0;
  }

  private async suspend(
    step: CatchUpStep,
    { address, since, problem, isBusy, isFoundLate }: UnreadableAddress,
  ): Promise<void> {
    const { app, chain } = this.parts;
    const { cursor, engine } = step.chainState;
    const contracts = [...engine.watchList.at(address)]
      .filter(({ targets }) => targets.some((target) => transactionAddressesOf(target).includes(address)))
      .filter((contract) => !isFoundLate || countsFrom(contract, address))
      .map(({ id }) => id);
    if (contracts.length === 0) return;
    const earlier = this.earlier.get(address);
    const nowMs = app.clock.now().getTime();
    const attempts = earlier && nowMs - earlier.atMs < rememberedMs ? earlier.attempts + 1 : 0;
    this.earlier.set(address, { attempts, atMs: nowMs });
    // All that was committed of a busy address is complete, also what was committed since it was found.
    const last_height = isBusy ? cursor.height : Math.min(since, cursor.height);
    const resume_at = inSeconds(app, waitSeconds(isBusy, attempts));
    const reason = reasonOf(address, problem, last_height, resume_at);
    app.log.warn({ chain: chain.chain, address, since: last_height }, "address suspended");
    const now = app.clock.now();
    const suspension = { address, last_height, reason, resume_at, attempts, is_busy: isBusy, now };
    await this.underLease(step, async (tx) => {
      await recordSuspension(tx, chain.chain, contracts, suspension);
      await this.rewind(tx, contracts);
    });
    app.bus.publish({ topic: "stream.queued" });
  }

  /** Deletes what suspended targets have counted after the last height that is complete: it will be counted again. */
  private async rewind(tx: Db, contracts: string[]): Promise<void> {
    const lowest = await lowestHeights(tx, contracts);
    for (const row of await listWatchedOf(tx, contracts)) {
      const height = lowest.get(row.id);
      const { targets } = await suspendedPart(this.parts.app, this.parts.chain, row);
      const affected = targets.filter(({ meter }) => meter.measure && !meter.pollsAlone);
      if (height === undefined || affected.length === 0) continue;
      const series_ids = affected.flatMap(seriesOf);
      const rule_ids = affected.flatMap(({ rules }) => rules.map(({ id }) => id));
      await rewindSeries(tx, { series_ids, rule_ids, height });
    }
  }

  private async startChecks(): Promise<void> {
    const { app, chain, reader } = this.parts;
    if (reader.mayReadBlocks?.() === false) return;
    const due = await listDueSuspensions(app.db, chain.chain, app.clock.now());
    for (const { address, attempts } of due) {
      if (this.checking.has(address)) continue;
      this.checking.add(address);
      void (reader.checkAddress?.(address) ?? Promise.resolve(undefined))
        .catch(() => "cannot be read, because of an internal error")
        .then((problem) => {
          this.checking.delete(address);
          this.checked.push({ address, attempts, problem });
        });
    }
  }

  /** Begins to count what was missed, or waits longer. */
  private async apply(step: CatchUpStep, { address, attempts, problem }: Checked): Promise<void> {
    const { app, chain } = this.parts;
    const now = app.clock.now();
    if (problem === undefined) {
      const reason = `The address ${address} can be followed again. What happened since its suspension is being counted.`;
      await this.underLease(step, (tx) => beginCatchUp(tx, { chain: chain.chain, address, reason, now }));
    } else {
      const postpone = (isBusy: boolean, since: number) => {
        const resume_at = inSeconds(app, waitSeconds(isBusy, attempts + 1));
        return { resume_at, reason: reasonOf(address, problem, since, resume_at) };
      };
      await this.underLease(step, (tx) => postponeSuspension(tx, chain.chain, address, now, postpone));
    }
    app.bus.publish({ topic: "stream.queued" });
  }

  /** Runs work in a transaction that fails with `LeaseLost` unless this process still holds the lease. */
  private async underLease<Result>(
    { chainState, lease }: CatchUpStep,
    work: (tx: Db) => Promise<Result>,
  ): Promise<Result> {
    const { app, chain } = this.parts;
    return urgentTransaction(app, async (tx) => {
      if (!(await moveCursor(tx, chain.chain, chainState.cursor, lease, app.clock.now())))
        throw new LeaseLost(chain.chain);
      return work(tx);
    });
  }
}

/** Whether the account of a holder counts from a height that is below the newest block. */
function countsFrom({ subject }: WatchedContract, address: string): boolean {
  return (
    subject.tokenAccounts?.some(({ account, since }) => account === address && since !== undefined) ?? false
  );
}

function waitSeconds(isBusy: boolean, attempts: number): number {
  return backoffAfter(attempts + 1, isBusy ? waitsSeconds.busy : waitsSeconds.failing);
}

function reasonOf(address: string, problem: string, since: number, resume_at: Date): string {
  return (
    `The address ${address} ${problem}. Nothing after slot ${since} is counted of its transactions; ` +
    `it is checked again at ${resume_at.toISOString()}, and targets that read only its state continue.`
  );
}
