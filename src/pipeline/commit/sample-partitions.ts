import type { App } from "../../app.ts";
import { ensurePartition, partitionFor } from "../../store/engine/partitions.ts";

/** Sees to it that samples have somewhere to go. */
export class SamplePartitions {
  /** The partitions that are known to exist. */
  private readonly known = new Set<string>();

  async ensure(app: App, times: readonly number[]): Promise<void> {
    for (const time of times) {
      if (this.known.has(partitionFor("samples", time))) continue;
      this.known.add(await ensurePartition(app.db, "samples", time));
    }
  }

  /** One of them may have been dropped since. */
  forget(): void {
    this.known.clear();
  }
}
