import type { App } from "../../../app.ts";
import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import type { PossibleVault } from "../../../chains/family.ts";
import type { ChainReader } from "../../../chains/reader.ts";
import { backoffAfter } from "../../../lib/concurrency/exponential-backoff.ts";
import { saveSearchProblem } from "../../../store/inspection/search-problems.ts";
import { saveTokenAccounts } from "../../../store/inspection/token-accounts.ts";
import { DueList } from "../../watch/due-list.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import { vaultTokensOf } from "../../watch/followed-tokens.ts";
import type { WatchedContract, WatchList } from "../../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "../read-or-nothing.ts";
import { type SearchProblem, vaultProblemText } from "./search-problem.ts";

/** A program may get another vault at any time. */
const refreshSeconds = 3_600;
const retrySeconds = { first: 60, max: refreshSeconds };
/** The failures in a row that are reported: a single one may be of a moment. */
const reportedFailures = 2;
/** The minimum time between a search and one that a possible new vault causes. */
const hintedSeconds = 600;
/** Anyone can make transactions with further accounts. */
const maxHints = 1_000;
/** The programs that are searched at once. The first search takes some thirty calls. */
const maxConcurrent = 2;

/** The tokens that were searched, by contract. */
type Covered = ReadonlyMap<string, string>;

/** What the last search of a program covered and when it was, and the failures since the last one that succeeded. */
type Searched = {
  covered: Covered;
  failures: number;
  /** The time of the first of these failures. */
  failingSince: number | undefined;
  time: number;
  /** The accounts that have caused a search. */
  hints: Set<string>;
};

/**
 * Searches the vaults of programs beside the blocks, once for all contracts that monitor a program. They are stored with their
 * contracts, which the engine then reloads like any other change. Each program is searched separately: one whose search hangs or
 * fails is tried again later.
 */
export class VaultSearches {
  private readonly app: App;
  private readonly reader: ChainReader;
  private readonly due = new DueList();
  /** What the searches that run now cover, by program. */
  private readonly running = new Map<string, Covered>();
  private readonly searched = new Map<string, Searched>();
  /** The programs that are to be searched again as soon as their search has ended. */
  private readonly overtaken = new Set<string>();

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.reader = reader;
  }

  /**
   * Has the program of a contract searched: at once if its targets measure other tokens than before, else when its time has
   * come.
   */
  schedule(contract: WatchedContract, time: number): void {
    const program = contract.subject.address;
    const running = this.running.get(program);
    const covered = running ?? this.searched.get(program)?.covered;
    if (covered?.get(contract.id) === vaultTokensOf(contract).join()) return;
    if (running) this.overtaken.add(program);
    else this.due.set(program, time);
  }

  /** Starts the searches that are due, as far as there is room for them. Resolves when they have ended, and never rejects. */
  async start(engine: EngineState, at: BlockPosition): Promise<void> {
    const due = this.due.removeDue(at.time, maxConcurrent - this.running.size);
    await Promise.all(
      due.map(async (program) => {
        const contracts = contractsOf(engine.watchList, program);
        if (contracts.length > 0) await this.search(program, contracts, at);
        else this.searched.delete(program);
      }),
    );
  }

  /**
   * Has programs searched soon of which blocks show an account that may be a new vault. Each account causes one search: it may belong
   * to another program.
   */
  observe({ watchList }: EngineState, blocks: readonly Block[]): void {
    const { possibleVaultsIn } = familyOf(watchList.chain).code;
    const contracts = [...this.searched.keys()].flatMap((program) => contractsOf(watchList, program));
    const measured = new Set(contracts.flatMap(vaultTokensOf));
    if (!possibleVaultsIn || measured.size === 0) return;
    for (const block of blocks)
      for (const vault of possibleVaultsIn(block, (mint) => measured.has(mint)))
        for (const contract of contracts) if (mayOwn(contract, vault)) this.hasten(contract, vault.account);
  }

  private hasten({ subject: { address: program } }: WatchedContract, account: string): void {
    const searched = this.searched.get(program);
    if (!searched || searched.hints.has(account) || searched.hints.size >= maxHints) return;
    searched.hints.add(account);
    const due = this.due.timeOf(program);
    const soonest = searched.time + hintedSeconds;
    if (due !== undefined && soonest < due) this.due.set(program, soonest);
  }

  private async search(
    program: string,
    contracts: readonly WatchedContract[],
    at: BlockPosition,
  ): Promise<void> {
    const covered = new Map(contracts.map((one) => [one.id, vaultTokensOf(one).join()]));
    this.running.set(program, covered);
    const hasSucceeded = await this.findAndSave(contracts, at).catch((error: unknown) => {
      this.app.log.error({ err: error }, "vaults of a program could not be searched");
      return false;
    });
    this.running.delete(program);
    const before = this.searched.get(program);
    const failures = hasSucceeded ? 0 : (before?.failures ?? 0) + 1;
    const failingSince = hasSucceeded ? undefined : (before?.failingSince ?? at.time);
    const hints = before?.hints ?? new Set();
    this.searched.set(program, { covered, failures, failingSince, time: at.time, hints });
    const waitSeconds = failures > 0 ? backoffAfter(failures, retrySeconds) : refreshSeconds;
    const isOvertaken = this.overtaken.delete(program);
    this.due.set(program, at.time + (isOvertaken ? 0 : waitSeconds));
    if (failingSince !== undefined && failures >= reportedFailures)
      await this.saveProblems(withTokens(contracts), { failingSince, unfollowed: 0 });
  }

  /** Returns false if the program could not be searched. */
  private async findAndSave(all: readonly WatchedContract[], at: BlockPosition): Promise<boolean> {
    const contracts = withTokens(all);
    await this.saveProblems(
      all.filter((one) => !contracts.includes(one)),
      { failingSince: undefined, unfollowed: 0 },
    );
    const [first] = contracts;
    const findVaults = first && familyOf(first.subject.chain).code.findVaults;
    if (!findVaults) return true;
    const examined = contracts.map((one) => ({ subject: one.subject, tokens: vaultTokensOf(one) }));
    const found = await findVaults(examined, readOrNothing(this.reader, at));
    for (const [order, contract] of contracts.entries()) {
      const vaults = found?.[order];
      if (!vaults) continue;
      await saveTokenAccounts(this.app.db, contract, vaults.followed);
      await this.saveProblems([contract], { failingSince: undefined, unfollowed: vaults.unfollowed });
    }
    return found !== undefined;
  }

  /** Stores with contracts what is not followed. Never rejects: the next search stores it again. */
  private async saveProblems(
    contracts: readonly WatchedContract[],
    { failingSince, unfollowed }: SearchProblem,
  ): Promise<void> {
    const problem = vaultProblemText({ failingSince, unfollowed });
    const failing_since = failingSince === undefined ? null : new Date(failingSince * 1000);
    for (const contract of contracts)
      await saveSearchProblem(this.app.db, contract, { problem, failing_since }).catch((error: unknown) => {
        this.app.log.error({ err: error }, "the status of a search could not be stored");
      });
  }
}

function withTokens(contracts: readonly WatchedContract[]): WatchedContract[] {
  return contracts.filter((one) => vaultTokensOf(one).length > 0);
}

function contractsOf(watchList: WatchList, program: string): WatchedContract[] {
  return [...watchList.at(program)].filter(({ subject }) => subject.address === program);
}

/** Whether a transaction of the program changed an account of its tokens that is not followed. */
function mayOwn(contract: WatchedContract, { account, mint, named }: PossibleVault): boolean {
  const { subject } = contract;
  return (
    named.includes(subject.address) &&
    vaultTokensOf(contract).includes(mint) &&
    !subject.tokenAccounts?.some((one) => one.account === account)
  );
}
