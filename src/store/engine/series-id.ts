import { createHash } from "node:crypto";

/** The series id of a generation of a target: the target's id for the first generation, then a derived UUID. */
export function seriesIdFor(id: string, times: number): string {
  return times === 1 ? id : toUuid(createHash("sha256").update(`${id} ${times}`).digest("hex"));
}

function toUuid(hex: string): string {
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => hex.slice(cuts[index], end))
    .join("-");
}
