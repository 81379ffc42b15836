import type { App } from "../../../app.ts";
import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import type { Discovery } from "../../../chains/family.ts";
import type { ChainReader } from "../../../chains/reader.ts";
import { offloadFor } from "../../../lib/concurrency/worker-pool.ts";
import { toPlain } from "../../../lib/plain-json.ts";
import type { Code } from "../../../store/engine/contract-code.ts";
import { markAsProgram, saveIdl } from "../../../store/inspection/program-idls.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import { followedTokensOf } from "../../watch/followed-tokens.ts";
import { lacksImplementation, type WatchedContract } from "../../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "../read-or-nothing.ts";
import type { HolderSearches } from "./holder-searches.ts";
import type { VaultSearches } from "./vault-searches.ts";

/** The code of a contract, as it was at a block. */
export type FoundCode = { contract: WatchedContract; code: Code; at: BlockPosition };

type Examined = { contract: WatchedContract; discovery: Discovery | undefined; at: BlockPosition };

const retrySeconds = 60;
/** A program may publish an IDL later, or replace it after an upgrade. */
const refreshSeconds = 3_600;

/**
 * Finds the code or the interface of contracts that were not examined yet, beside the blocks. A published IDL is stored with its
 * contract, which the engine then reloads like any other change. A contract that could not be read is tried again later.
 */
export class CodeLookups {
  private readonly app: App;
  private readonly reader: ChainReader;
  private readonly vaults: VaultSearches;
  private readonly holders: HolderSearches;
  private running: Promise<void> | undefined;
  private examined: Examined[] = [];

  constructor(
    app: App,
    reader: ChainReader,
    { vaults, holders }: { vaults: VaultSearches; holders: HolderSearches },
  ) {
    this.app = app;
    this.reader = reader;
    this.vaults = vaults;
    this.holders = holders;
  }

  /** Starts to examine the contracts that are due, unless others are being examined. Never rejects. */
  async start(engine: EngineState, at: BlockPosition): Promise<void> {
    if (this.running) return this.running;
    const { batchSize } = familyOf(engine.watchList.chain).code;
    const due = engine.unread
      .removeDue(at.time, batchSize)
      .flatMap((id) => engine.watchList.contract(id) ?? []);
    if (due.length === 0) return;
    this.running = this.examine(due, engine, at)
      .catch((error: unknown) => {
        this.app.log.error({ err: error }, "code of contracts could not be looked up");
        this.examined.push(...due.map((contract) => ({ contract, discovery: undefined, at })));
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /** Has contracts examined soon at whose address blocks deployed code: an address may become a program after it was examined. */
  observe({ watchList, unread }: EngineState, blocks: readonly Block[]): void {
    const { deployedIn } = familyOf(watchList.chain).code;
    for (const block of deployedIn ? blocks : [])
      for (const address of deployedIn?.(block) ?? [])
        for (const { id, subject } of watchList.at(address))
          if (subject.address === address) unread.set(id, block.time);
  }

  /** Removes and returns what was found for contracts that are still watched as they were. */
  take(engine: EngineState, now: number): FoundCode[] {
    const examined = this.examined.filter(
      ({ contract }) => engine.watchList.contract(contract.id) === contract,
    );
    this.examined = [];
    for (const { contract, discovery } of examined) {
      if (!discovery || (discovery.code && lacksImplementation(discovery.code)))
        engine.unread.set(contract.id, now + retrySeconds);
      else if (discovery.program || followedTokensOf(contract).length > 0)
        engine.unread.set(contract.id, now + refreshSeconds);
    }
    return examined.flatMap(({ contract, discovery, at }) =>
      discovery?.code ? [{ contract, code: discovery.code, at }] : [],
    );
  }

  /** Forgets what was found at blocks that were rolled back, and schedules it again. */
  rollBackTo({ height, time }: { height: number; time: number }, engine: EngineState): void {
    for (const { contract, at } of this.examined)
      if (at.height > height) engine.unread.set(contract.id, time);
    this.examined = this.examined.filter(({ at }) => at.height <= height);
  }

  private async examine(due: WatchedContract[], engine: EngineState, at: BlockPosition): Promise<void> {
    const { discover } = familyOf(engine.watchList.chain).code;
    const contracts = due.map((contract) => ({
      subject: contract.subject,
      tokens: followedTokensOf(contract),
    }));
    const { chain } = engine.watchList.chain;
    const offload = offloadFor(this.app.workers, chain);
    const implementations = await discover(contracts, readOrNothing(this.reader, at), offload);
    for (const [index, contract] of due.entries()) {
      const discovery = implementations[index];
      if (discovery?.program) {
        await this.saveProgram(contract, discovery.program.idl);
        this.vaults.schedule(contract, at.time);
      }
      if (discovery && !discovery.program) this.holders.schedule(contract, at.time);
      this.examined.push({ contract, discovery, at });
    }
  }

  private async saveProgram(
    contract: WatchedContract,
    idl: Record<string, unknown> | undefined,
  ): Promise<void> {
    await markAsProgram(this.app.db, contract, this.app.clock.now());
    if (idl) await saveIdl(this.app.db, contract, toPlain(idl));
  }
}
