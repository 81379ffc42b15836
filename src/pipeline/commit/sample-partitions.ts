import type { App } from "../../app.ts";
import { ensurePartition, partitionFor } from "../../store/engine/partitions.ts";

const daySeconds = 86_400;

/** Creates the partitions that samples are written to. */
export class SamplePartitions {
  /** The partitions that exist. */
  private readonly known = new Set<string>();

  async ensure(app: App, times: readonly number[]): Promise<void> {
    // The name of a partition is text, which takes longer to make than a day to compare.
    const days = new Map(times.map((time) => [Math.floor(time / daySeconds), time]));
    for (const time of days.values()) {
      if (this.known.has(partitionFor("samples", time))) continue;
      this.known.add(await ensurePartition(app.db, "samples", time));
    }
  }

  /** Forgets which partitions exist: one may have been dropped. */
  forget(): void {
    this.known.clear();
  }
}
