import type { Clock } from "../../../lib/clock.ts";
import type { ChainQuirk } from "../../chain.ts";

/** A rule of Ethereum that blocks of other chains may break. `missing_logs`: the bloom filter names logs that were not returned. */
export type Check =
  | Exclude<ChainQuirk, "no_bloom">
  | "missing_receipts"
  | "missing_logs"
  | "log_order"
  | "other_block_hash";

/** The block that fails a check; its time is in seconds. */
export type CheckedBlock = { height: number; hash: string; time: number };

const minute = 60_000;

type Terms = {
  /** Completes the sentence "Blocks of the nodes …". */
  description: string;
  /** The time after which data that fails the check is accepted from a single endpoint that repeats it. */
  patienceMs: number;
  /** True if the data may be right a moment later, so that agreement proves nothing and new blocks are waited for. */
  mayPass?: true;
};

const terms: Record<Check, Terms> = {
  gas_without_transactions: { description: "used gas without any transaction", patienceMs: 2 * minute },
  logs_of_failed_transactions: {
    description: "contain logs of failed transactions",
    patienceMs: 2 * minute,
  },
  log_index_gaps: { description: "number their logs with gaps", patienceMs: 2 * minute },
  log_order: { description: "list their logs out of order", patienceMs: 2 * minute },
  unlisted_transactions: {
    description: "contain logs of transactions that they do not list",
    patienceMs: 2 * minute,
  },
  logs_beyond_bloom: {
    description: "contain logs that the bloom filter of their header lacks",
    patienceMs: 2 * minute,
  },
  own_header_hash: { description: "have headers that do not match their hash", patienceMs: 2 * minute },
  missing_receipts: {
    description: "lack receipts of some transactions",
    patienceMs: 10 * minute,
    mayPass: true,
  },
  // Endpoints may agree because none has indexed the logs yet.
  missing_logs: {
    description: "lack logs that the bloom filter of their header names",
    patienceMs: 10 * minute,
    mayPass: true,
  },
  // The usual reason is a reorg between two requests.
  other_block_hash: {
    description: "have another hash in their logs than in their header",
    patienceMs: 10 * minute,
    mayPass: true,
  },
};

/** A difference that an endpoint is known for is accepted at once for so long after it was last seen. */
const knownForMs = 60 * minute;
const warningMs = 10 * minute;
const maxClaims = 500;

/** The time over which an endpoint had a difference accepted, without a pause, and the last block that had it. */
type Streak = { check: Check; since: number; at: number; height: number };

/**
 * Decides when data that fails a check is accepted all the same: because the chain is known for it, because two endpoints
 * return the same, or because nothing else was returned for minutes. No check may stop a chain for ever, nor slow it down:
 * an endpoint whose difference was accepted for that long is known for it, and its next blocks do not wait.
 */
export class Tolerance {
  private readonly quirks: ReadonlySet<string>;
  private readonly clock: Clock;
  private readonly claims = new Map<string, { endpoint: number; since: number }>();
  private readonly streaks = new Map<string, Streak>();

  constructor(quirks: readonly ChainQuirk[], clock: Clock) {
    // Without bloom filters, every log is beyond them.
    this.quirks = new Set(quirks.includes("no_bloom") ? [...quirks, "logs_beyond_bloom"] : quirks);
    this.clock = clock;
  }

  /** Returns whether a block that fails a check is accepted. `claim` is what the endpoint said that fails it. */
  allows(check: Check, block: CheckedBlock, claim: unknown, endpoint: number): boolean {
    if (this.quirks.has(check)) return true;
    const now = this.nowMs();
    if (this.isKnownFor(check, block, endpoint)) {
      this.accept(check, block, endpoint);
      return true;
    }
    const key = JSON.stringify([check, block.hash, claim]);
    const first = this.claims.get(key);
    if (!first) {
      this.claims.set(key, { endpoint, since: now });
      if (this.claims.size > maxClaims) this.claims.delete(this.claims.keys().next().value ?? "");
      return false;
    }
    const { patienceMs, mayPass } = terms[check];
    const isRepeated = Math.abs(now - first.since) >= patienceMs;
    const isAgreed = !mayPass && first.endpoint !== endpoint;
    if (isRepeated || isAgreed) this.accept(check, block, endpoint, isRepeated ? first.since : now);
    return isRepeated || isAgreed;
  }

  /** Records that a block that fails a check was accepted, which the warning names. */
  accept(check: Check, { height }: { height: number }, endpoint: number, since = this.nowMs()): void {
    if (this.quirks.has(check)) return;
    const key = `${check} ${endpoint}`;
    const at = this.nowMs();
    const streak = this.streaks.get(key);
    const isContinued = streak && at - streak.at < (isLong(streak) ? knownForMs : terms[check].patienceMs);
    this.streaks.set(key, { check, height, at, since: isContinued ? Math.min(streak.since, since) : since });
  }

  /** A sentence for the operator while blocks that fail a check are being accepted. */
  warning(): string | undefined {
    const now = this.nowMs();
    const current = [...this.streaks.values()]
      .filter((streak) => Math.abs(now - streak.at) <= (isLong(streak) ? knownForMs : warningMs))
      .sort((a, b) => a.at - b.at);
    const last = new Map(current.map(({ check, height }) => [check, height]));
    if (last.size === 0) return undefined;
    const differences = [...last].map(
      ([check, height]) => `${terms[check].description}, last block ${height}`,
    );
    return (
      `Blocks of the nodes ${differences.join("; and they ")}. ` +
      `They are accepted without ${last.size === 1 ? "this check" : "these checks"}, because the nodes return nothing else.`
    );
  }

  private isKnownFor(check: Check, { time }: CheckedBlock, endpoint: number): boolean {
    const streak = this.streaks.get(`${check} ${endpoint}`);
    const now = this.nowMs();
    if (!streak || !isLong(streak) || Math.abs(now - streak.at) > knownForMs) return false;
    // What may pass is waited for in every block, so that the chain is followed late, but keeps up.
    return !terms[check].mayPass || now - time * 1000 >= terms[check].patienceMs;
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}

/** True if the difference was accepted for as long as a single block would have waited. */
function isLong({ check, since, at }: Streak): boolean {
  return Math.abs(at - since) >= terms[check].patienceMs;
}
