import type { Clock } from "../../../lib/clock.ts";
import type { ChainQuirk } from "../../chain.ts";

/** A rule of Ethereum that blocks of other chains may break. `missing_logs`: the bloom filter names logs that were not returned. */
export type Check =
  | Extract<
      ChainQuirk,
      "gas_without_transactions" | "logs_of_failed_transactions" | "log_index_gaps" | "unlisted_transactions"
    >
  | "missing_receipts"
  | "missing_logs";

const minute = 60_000;

/** The time after which data that fails a check is accepted from a single endpoint that repeats it. */
const patienceMs: Record<Check, number> = {
  gas_without_transactions: 2 * minute,
  logs_of_failed_transactions: 2 * minute,
  log_index_gaps: 2 * minute,
  unlisted_transactions: 2 * minute,
  missing_receipts: 10 * minute,
  // Endpoints may agree because none has indexed the logs yet.
  missing_logs: 10 * minute,
};
const isEndedByAgreement = (check: Check) => check !== "missing_logs" && check !== "missing_receipts";

const descriptions: Record<Check, string> = {
  gas_without_transactions: "used gas without any transaction",
  logs_of_failed_transactions: "contain logs of failed transactions",
  log_index_gaps: "number their logs with gaps",
  unlisted_transactions: "contain logs of transactions that they do not list",
  missing_receipts: "lack receipts of some transactions",
  missing_logs: "lack logs that the bloom filter of their header names",
};

const warningMs = 10 * minute;
const maxClaims = 500;

/**
 * Decides when data that fails a check is accepted all the same: because the chain is known for it, because two endpoints
 * return the same, or because nothing else was returned for minutes. No check may stop a chain for ever.
 */
export class Tolerance {
  private readonly quirks: ReadonlySet<string>;
  private readonly clock: Clock;
  private readonly claims = new Map<string, { endpoint: number; since: number }>();
  private accepted: { check: Check; height: number; at: number } | undefined;

  constructor(quirks: readonly ChainQuirk[], clock: Clock) {
    this.quirks = new Set(quirks);
    this.clock = clock;
  }

  /** Returns whether a block that fails a check is accepted. `claim` is what the endpoint said that fails it. */
  allows(check: Check, block: { height: number; hash: string }, claim: unknown, endpoint: number): boolean {
    if (this.quirks.has(check)) return true;
    const key = JSON.stringify([check, block.hash, claim]);
    const now = this.clock.now().getTime();
    const first = this.claims.get(key);
    if (!first) {
      this.claims.set(key, { endpoint, since: now });
      if (this.claims.size > maxClaims) this.claims.delete(this.claims.keys().next().value ?? "");
      return false;
    }
    const isAgreed = isEndedByAgreement(check) && first.endpoint !== endpoint;
    if (!isAgreed && Math.abs(now - first.since) < patienceMs[check]) return false;
    this.accepted = { check, height: block.height, at: now };
    return true;
  }

  /** A sentence for the operator while blocks that fail a check are being accepted. */
  warning(): string | undefined {
    const { accepted } = this;
    if (!accepted || Math.abs(this.clock.now().getTime() - accepted.at) > warningMs) return undefined;
    return (
      `Blocks of the nodes ${descriptions[accepted.check]}, last block ${accepted.height}. ` +
      "They are accepted without this check, because the nodes return nothing else."
    );
  }
}
