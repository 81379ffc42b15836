import type { App } from "../../../app.ts";
import { familyOf } from "../../../chains/families.ts";
import type { ChainReader } from "../../../chains/reader.ts";
import { saveTokenAccounts } from "../../../store/inspection/token-accounts.ts";
import { DueList } from "../../watch/due-list.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import { vaultTokensOf } from "../../watch/followed-tokens.ts";
import type { WatchedContract } from "../../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "../read-or-nothing.ts";

/** A program may get another vault at any time. */
const refreshSeconds = 3_600;
const firstRetrySeconds = 60;
/** The programs that are searched at once. The first search takes some thirty calls. */
const maxConcurrent = 2;

/** The tokens that were searched, by contract. */
type Covered = ReadonlyMap<string, string>;

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
  /** What the last search of a program covered, and the failures since the last one that succeeded. */
  private readonly searched = new Map<string, { covered: Covered; failures: number }>();
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
        const contracts = [...engine.watchList.at(program)].filter(
          ({ subject }) => subject.address === program,
        );
        if (contracts.length > 0) await this.search(program, contracts, at);
        else this.searched.delete(program);
      }),
    );
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
    const failures = hasSucceeded ? 0 : (this.searched.get(program)?.failures ?? 0) + 1;
    this.searched.set(program, { covered, failures });
    const wait = failures > 0 ? firstRetrySeconds * 2 ** Math.min(failures - 1, 10) : refreshSeconds;
    const isOvertaken = this.overtaken.delete(program);
    this.due.set(program, at.time + (isOvertaken ? 0 : Math.min(wait, refreshSeconds)));
  }

  /** Returns false if the program could not be searched. */
  private async findAndSave(all: readonly WatchedContract[], at: BlockPosition): Promise<boolean> {
    const contracts = all.filter((one) => vaultTokensOf(one).length > 0);
    const [first] = contracts;
    const findVaults = first && familyOf(first.subject.chain).code.findVaults;
    if (!findVaults) return true;
    const examined = contracts.map((one) => ({ subject: one.subject, tokens: vaultTokensOf(one) }));
    const found = await findVaults(examined, readOrNothing(this.reader, at));
    for (const [order, contract] of contracts.entries()) {
      const vaults = found?.[order];
      if (vaults) await saveTokenAccounts(this.app.db, contract, vaults);
    }
    return found !== undefined;
  }
}
