import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { BlockRef, ChainReader } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import { type Cursor, recordHead } from "../../store/engine/cursors.ts";

/** Consecutive broken steps that count as a problem: a single one may be a reorganisation between two requests. */
const brokenStepsToReport = 2;

/** Records the head of a chain and the problems that reading it shows. */
export class ChainHealth {
  private readonly app: App;
  private readonly chain: Chain;
  private readonly reader: ChainReader;
  /** The number of consecutive steps whose blocks did not link to the cursor. */
  private brokenSteps = 0;
  private shownPlan: string | undefined;

  constructor(app: App, chain: Chain, reader: ChainReader) {
    this.app = app;
    this.chain = chain;
    this.reader = reader;
  }

  /** Records the head. A chain that can be read clears the last error, unless its blocks do not link. */
  async recordHead({ height }: BlockRef, cursor: Cursor, plan: ReadingPlan["reads"]): Promise<void> {
    const isLinked = this.brokenSteps < brokenStepsToReport;
    const pace = this.reader.pace?.();
    if (pace) this.showEstimate(plan, pace.callsPerDay);
    this.showHeights(height, cursor);
    await recordHead(this.app.db, this.chain.chain, {
      head_height: height,
      head_seen_at: this.app.clock.now(),
      ...(pace && {
        reading: {
          plan,
          poll_seconds: pace.pollSeconds,
          calls_per_day: pace.callsPerDay,
          is_slowed: pace.isSlowed,
        },
      }),
      ...(isLinked && { last_error: this.reader.warning?.() ?? this.describeShortfall(height, cursor) }),
    });
  }

  private showEstimate(plan: ReadingPlan["reads"], callsPerDay: number): void {
    const { rpcCallsPlanned } = this.app.metrics;
    const { chain } = this.chain;
    if (this.shownPlan && this.shownPlan !== plan) rpcCallsPlanned.remove({ chain, plan: this.shownPlan });
    this.shownPlan = plan;
    rpcCallsPlanned.set({ chain, plan }, callsPerDay);
  }

  private showHeights(head: number, cursor: Cursor): void {
    const { chain } = this.chain;
    this.app.metrics.chainHead.set({ chain }, head);
    this.app.metrics.chainLag.set({ chain }, Math.max(0, head - cursor.height));
  }

  /** Records whether the blocks of a step linked to the cursor. */
  async recordLinks(isBroken: boolean, { height }: Cursor): Promise<void> {
    this.brokenSteps = isBroken ? this.brokenSteps + 1 : 0;
    if (this.brokenSteps !== brokenStepsToReport) return;
    const last_error = `The nodes return a block ${height + 1} that does not follow block ${height}.`;
    this.app.log.warn({ chain: this.chain.chain, height }, last_error);
    await recordHead(this.app.db, this.chain.chain, { last_error });
  }

  /** A lagging node catches up soon. One that was reset, as a development node may be, has to be reported. */
  private describeShortfall(head: number, { height }: Cursor): string | null {
    if (height - head <= this.chain.finality_depth) return null;
    return (
      `The nodes report block ${head} as the head, far below block ${height}, which was already processed. ` +
      "Their blocks are applied once their chain is longer."
    );
  }
}
