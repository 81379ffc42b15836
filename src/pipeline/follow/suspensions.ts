import { type App, inSeconds } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainReader, UnreadableAddress } from "../../chains/reader.ts";
import {
  clearSuspension,
  listDueSuspensions,
  postponeSuspension,
  recordSuspension,
} from "../../store/contracts/suspended-contracts.ts";
import { type Cursor, moveCursor } from "../../store/engine/cursors.ts";
import type { Db } from "../../store/open-store.ts";
import { LeaseLost } from "../commit/commit.ts";
import { transactionAddressesOf } from "../watch/transaction-addresses.ts";
import type { WatchList } from "../watch/watch-list.ts";

/** The first wait before an address is checked again; each further one is twice as long, up to a maximum. */
const waits = {
  failing: { firstSeconds: 30, maxSeconds: 3_600 },
  busy: { firstSeconds: 600, maxSeconds: 6 * 3_600 },
};
/** The interval at which suspensions that are due are looked for. */
const checkMs = 15_000;
/** An address that is suspended again within this time waits longer than before. */
const rememberedMs = 6 * 3_600_000;

/** The newest committed block, and the lease under which suspensions are recorded. */
export type SuspensionPoint = { cursor: Cursor; lease: { fence: number } };

type Checked = { address: string; attempts: number; problem: string | undefined };

/**
 * Suspends the targets that count transactions of an address that cannot be followed, and resumes them by themselves when it
 * can be. Addresses are checked beside the blocks, so that a slow answer delays nothing.
 */
export class Suspensions {
  private readonly app: App;
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  private nextCheckMs = 0;
  private readonly checking = new Set<string>();
  private checked: Checked[] = [];
  private readonly earlier = new Map<string, { attempts: number; atMs: number }>();

  constructor(app: App, chain: Chain, reader: ChainReader) {
    this.app = app;
    this.chain = chain;
    this.reader = reader;
  }

  /** Suspends addresses that the reader cannot follow, and resumes those that it can follow again. */
  async update(at: SuspensionPoint, watchList: WatchList): Promise<void> {
    for (let one = this.reader.popUnreadableAddress?.(); one; one = this.reader.popUnreadableAddress?.())
      await this.suspend(at, watchList, one);
    const nowMs = this.app.clock.now().getTime();
    if (nowMs >= this.nextCheckMs) {
      this.nextCheckMs = nowMs + checkMs;
      await this.startChecks();
    }
    const { checked } = this;
    this.checked = [];
    for (const one of checked) await this.apply(at, one);
  }

  private async suspend(
    at: SuspensionPoint,
    watchList: WatchList,
    { address, since, problem, isBusy }: UnreadableAddress,
  ): Promise<void> {
    const contracts = [...watchList.at(address)]
      .filter(({ targets }) => targets.some((target) => transactionAddressesOf(target).includes(address)))
      .map(({ id }) => id);
    if (contracts.length === 0) return;
    const earlier = this.earlier.get(address);
    const nowMs = this.app.clock.now().getTime();
    const attempts = earlier && nowMs - earlier.atMs < rememberedMs ? earlier.attempts + 1 : 0;
    this.earlier.set(address, { attempts, atMs: nowMs });
    // All that was committed of a busy address is complete, also what was committed since it was found.
    const last_height = isBusy ? at.cursor.height : Math.min(since, at.cursor.height);
    const resume_at = inSeconds(this.app, waitSeconds(isBusy, attempts));
    const reason = reasonOf(address, problem, last_height, resume_at);
    this.app.log.warn({ chain: this.chain.chain, address, since: last_height }, "address suspended");
    const now = this.app.clock.now();
    await this.underLease(at, (tx) =>
      recordSuspension(tx, this.chain.chain, contracts, {
        ...{ address, last_height, reason, resume_at, attempts, is_busy: isBusy, now },
      }),
    );
    this.app.bus.publish({ topic: "stream.queued" });
  }

  private async startChecks(): Promise<void> {
    const due = await listDueSuspensions(this.app.db, this.chain.chain, this.app.clock.now());
    for (const { address, attempts } of due) {
      if (this.checking.has(address)) continue;
      this.checking.add(address);
      void (this.reader.checkAddress?.(address) ?? Promise.resolve(undefined))
        .catch(() => "cannot be read, because of an internal error")
        .then((problem) => {
          this.checking.delete(address);
          this.checked.push({ address, attempts, problem });
        });
    }
  }

  /** Resumes from the block after the cursor, or waits longer. */
  private async apply(at: SuspensionPoint, { address, attempts, problem }: Checked): Promise<void> {
    const now = this.app.clock.now();
    const { chain } = this.chain;
    if (problem === undefined) {
      const from = at.cursor.height + 1;
      const reason = (since: number) =>
        `Monitoring resumed from slot ${from}. Nothing after slot ${since} and before slot ${from} was counted.`;
      await this.underLease(at, (tx) => clearSuspension(tx, chain, address, now, reason));
    } else {
      const postpone = (isBusy: boolean, since: number) => {
        const resume_at = inSeconds(this.app, waitSeconds(isBusy, attempts + 1));
        return { resume_at, reason: reasonOf(address, problem, since, resume_at) };
      };
      await this.underLease(at, (tx) => postponeSuspension(tx, chain, address, now, postpone));
    }
    this.app.bus.publish({ topic: "stream.queued" });
  }

  /** Runs work in a transaction that fails with `LeaseLost` unless this process still holds the lease. */
  private async underLease<Result>(
    { cursor, lease }: SuspensionPoint,
    work: (tx: Db) => Promise<Result>,
  ): Promise<Result> {
    return this.app.db.transaction().execute(async (tx) => {
      if (!(await moveCursor(tx, this.chain.chain, cursor, lease, this.app.clock.now())))
        throw new LeaseLost(this.chain.chain);
      return work(tx);
    });
  }
}

function waitSeconds(isBusy: boolean, attempts: number): number {
  const { firstSeconds, maxSeconds } = isBusy ? waits.busy : waits.failing;
  return Math.min(maxSeconds, firstSeconds * 2 ** Math.min(attempts, 12));
}

function reasonOf(address: string, problem: string, since: number, resume_at: Date): string {
  return (
    `The address ${address} ${problem}. Nothing after slot ${since} is counted of its transactions; ` +
    `it is checked again at ${resume_at.toISOString()}, and targets that read only its state continue.`
  );
}
