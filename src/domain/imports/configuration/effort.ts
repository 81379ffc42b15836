import { InvalidRequest } from "../../../errors/app-error.ts";
import { makePause, type Pause } from "../../../lib/concurrency/pauses.ts";

/** A few seconds. Names that differ cost one comparison each; only many items of the same name get near it. */
const maxComparisons = 200_000;

/** Bounds the time that the comparison of a document with an org takes, and pauses so that it delays no other request. */
export class Effort {
  readonly pause: Pause = makePause();
  private comparisons = 0;

  async compare(): Promise<void> {
    if (++this.comparisons > maxComparisons) throw new InvalidRequest([tooComplex]);
    await this.pause();
  }
}

const tooComplex = {
  loc: ["body", "contracts"],
  msg: "has too many targets or rules of the same name to compare; give them different names, or `external_ref`",
  type: "too_complex",
};
