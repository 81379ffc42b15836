import { InvalidRequest } from "../../../errors/app-error.ts";
import { changeSliceMs, makePause, type Pause } from "../../../lib/concurrency/pauses.ts";
import type { Offload } from "../../../lib/concurrency/worker-pool.ts";
import { type Matches, matchParts, matchPartsTask, type PartsInput } from "./match-parts.ts";

/** A few seconds of a worker thread. */
const maxComparisons = 200_000;
/** A few milliseconds. The parts of most contracts need no more. */
const maxInlineComparisons = 200;

/** Bounds the time that the comparison of a document with an org takes, and pauses so that it delays no other request. */
export class Effort {
  readonly pause: Pause = makePause(changeSliceMs);
  private readonly offload: Offload;
  private remaining = maxComparisons;

  constructor(offload: Offload) {
    this.offload = offload;
  }

  /** Matches the targets and rules of a contract, in a worker thread if that takes long. */
  async match(parts: Omit<PartsInput, "maxComparisons">): Promise<Matches> {
    const found =
      matchParts({ ...parts, maxComparisons: maxInlineComparisons }) ??
      (await this.offload(matchPartsTask, { ...parts, maxComparisons: this.remaining }));
    if (found) this.remaining -= found.comparisons;
    if (!found || this.remaining < 0) throw new InvalidRequest([tooComplex]);
    return found;
  }
}

const tooComplex = {
  loc: ["body", "contracts"],
  msg: "has too many targets or rules of the same name to compare; give them different names, or `external_ref`",
  type: "too_complex",
};
