import type { App } from "../../app.ts";
import { ensurePartition, partitionFor } from "../../store/engine/partitions.ts";

/** Creates the partitions that samples are written to. */
export class SamplePartitions {
  /** The partitions that exist. */
  private readonly known = new Set<string>();

  async ensure(app: App, times: readonly number[]): Promise<void> {
    for (const time of times) {
      if (this.known.has(partitionFor("samples", time))) continue;
      this.known.add(await ensurePartition(app.db, "samples", time));
    }
  }

  /** Forgets which partitions exist: one may have been dropped. */
  forget(): void {
    this.known.clear();
  }
}
