import type { App } from "../../app.ts";
import type { ChainReader } from "../../chains/reader.ts";
import { Patience } from "../../lib/concurrency/patience.ts";
import { ActivityScans } from "../measure/activity-scans.ts";
import { StatePolls } from "../measure/state-polls.ts";
import { TraceReads } from "../measure/trace-reads.ts";
import type { EngineState } from "../watch/engine-state.ts";
import { CauseSearches } from "./searches/cause-searches.ts";
import { CodeLookups } from "./searches/code-lookups.ts";
import { HolderSearches } from "./searches/holder-searches.ts";
import { VaultSearches } from "./searches/vault-searches.ts";

/** The time that one commit waits for reads beside the blocks, while these are quick. */
const maxWaitMs = 1_500;

/**
 * The reads that run beside the blocks of a chain: the state of targets, what may have changed it, calls between contracts, the
 * code of contracts, the vaults of programs, and the token accounts of holders.
 */
export class AuxiliaryReads {
  private readonly app: App;
  readonly patience: Patience;
  /** Of its own: alerts must not lack their sender because state is slow. */
  readonly senderPatience: Patience;
  /** New for each commit: alerts about polled changes are rare, and one slow search says nothing about the next. */
  causePatience: Patience;
  readonly causes: CauseSearches;
  readonly polls: StatePolls;
  readonly lookups: CodeLookups;
  readonly vaults: VaultSearches;
  readonly holders: HolderSearches;
  readonly activity: ActivityScans;
  readonly traces: TraceReads;

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.patience = new Patience(app.clock, maxWaitMs);
    this.causePatience = new Patience(app.clock, maxWaitMs);
    this.senderPatience = new Patience(app.clock, maxWaitMs);
    this.causes = new CauseSearches(app.clock, reader);
    this.polls = new StatePolls(reader, app.log);
    this.vaults = new VaultSearches(app, reader);
    this.holders = new HolderSearches(app, reader);
    this.lookups = new CodeLookups(app, reader, this);
    this.activity = new ActivityScans(reader);
    this.traces = new TraceReads(app, reader);
  }

  /** Starts a commit, which may wait again. */
  startCommit(): void {
    this.patience.renew();
    this.senderPatience.renew();
    this.causePatience = new Patience(this.app.clock, maxWaitMs);
  }

  /** Forgets what was read at blocks that were rolled back. */
  rollBackTo(ancestor: { height: number; time: number }, engine: EngineState): void {
    this.polls.rollBackTo(ancestor, engine);
    this.lookups.rollBackTo(ancestor, engine);
  }
}
