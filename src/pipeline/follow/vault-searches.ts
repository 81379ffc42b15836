import type { App } from "../../app.ts";
import { familyOf } from "../../chains/families.ts";
import type { ChainReader } from "../../chains/reader.ts";
import { saveTokenAccounts } from "../../store/inspection/token-accounts.ts";
import { DueList } from "../watch/due-list.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { vaultTokensOf } from "../watch/followed-tokens.ts";
import type { WatchedContract } from "../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "./read-or-nothing.ts";

/** A program may get another vault at any time. */
const refreshSeconds = 3_600;
const firstRetrySeconds = 60;
/** The programs that are searched at once. A search takes some thirty calls. */
const maxConcurrent = 2;

/**
 * Searches the vaults of programs beside the blocks. They are stored with their contract, which the engine then reloads like any
 * other change. Each program is searched by itself: one whose search hangs or fails is tried again later.
 */
export class VaultSearches {
  private readonly app: App;
  private readonly reader: ChainReader;
  private readonly due = new DueList();
  private readonly running = new Set<string>();
  /** The tokens that were searched, and the failures since the last search that succeeded, by contract. */
  private readonly searched = new Map<string, { tokens: string; failures: number }>();

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.reader = reader;
  }

  /** Has a program searched: at once if its targets measure other tokens than before, else when its time has come. */
  schedule(contract: WatchedContract, time: number): void {
    const { id } = contract;
    const isAsBefore = this.searched.get(id)?.tokens === vaultTokensOf(contract).join();
    if (this.running.has(id) || (isAsBefore && this.due.timeOf(id) !== undefined)) return;
    this.due.set(id, time);
  }

  /** Starts the searches that are due, as far as there is room for them. Resolves when they have ended, and never rejects. */
  async start(engine: EngineState, at: BlockPosition): Promise<void> {
    const due = this.due.take(at.time, maxConcurrent - this.running.size);
    await Promise.all(
      due.map(async (id) => {
        const contract = engine.watchList.contract(id);
        if (contract) await this.search(contract, at);
        else this.searched.delete(id);
      }),
    );
  }

  private async search(contract: WatchedContract, at: BlockPosition): Promise<void> {
    const { id } = contract;
    const tokens = vaultTokensOf(contract);
    this.running.add(id);
    const hasSucceeded = await this.findAndSave(contract, tokens, at).catch((error: unknown) => {
      this.app.log.error({ err: error }, "vaults of a program could not be searched");
      return false;
    });
    this.running.delete(id);
    const failures = hasSucceeded ? 0 : (this.searched.get(id)?.failures ?? 0) + 1;
    this.searched.set(id, { tokens: tokens.join(), failures });
    const wait = failures > 0 ? firstRetrySeconds * 2 ** Math.min(failures - 1, 10) : refreshSeconds;
    this.due.set(id, at.time + Math.min(wait, refreshSeconds));
  }

  /** Returns false if the program could not be searched. */
  private async findAndSave(
    contract: WatchedContract,
    tokens: string[],
    at: BlockPosition,
  ): Promise<boolean> {
    const { subject } = contract;
    const { findVaults } = familyOf(subject.chain).code;
    if (!findVaults || tokens.length === 0) return true;
    const vaults = await findVaults({ subject, tokens }, readOrNothing(this.reader, at));
    if (vaults) await saveTokenAccounts(this.app.db, contract, vaults);
    return vaults !== undefined;
  }
}
