import type { Clock } from "../../../lib/clock.ts";
import type { ReportedHead } from "./fetch-head.ts";

const windowMs = 600_000;
/** A reorganisation can shorten the chain, but rarely does. */
const timesToReport = 3;
const maxTimes = 100;

/** Counts heads that are older than the one before from the same endpoint: its URL leads to nodes at different heights. */
export class OlderHeads {
  private readonly clock: Clock;
  private seen: { endpoint: number; at: number }[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  compare(before: ReportedHead | undefined, { endpoint, ref }: ReportedHead): void {
    if (before?.endpoint !== endpoint || ref.height >= before.ref.height) return;
    this.seen = [...this.seen, { endpoint, at: this.clock.now().getTime() }].slice(-maxTimes);
  }

  /** A sentence for the operator about the endpoint that did so last. */
  warning(endpoints: number): string | undefined {
    const now = this.clock.now().getTime();
    this.seen = this.seen.filter(({ at }) => Math.abs(now - at) < windowMs);
    const endpoint = this.seen.at(-1)?.endpoint;
    const times = this.seen.filter((head) => head.endpoint === endpoint).length;
    if (endpoint === undefined || times < timesToReport) return undefined;
    return (
      `Node ${endpoint + 1} of ${endpoints} returned an older head than before, ${times} times in the last 10 minutes. ` +
      "Nodes at different heights seem to share its URL, so alerts can be some blocks late."
    );
  }
}
