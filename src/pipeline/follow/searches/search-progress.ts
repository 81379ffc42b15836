import { backoffAfter } from "../../../lib/concurrency/exponential-backoff.ts";

/** The heights of the last two searches of a token, and its failures since. */
type TokenSearch = { last: number; before: number; failures: number; failedSince?: number; retryAt?: number };

/** The time after which a token whose searches fail is reported. */
const reportedSeconds = 60;
const maxRetrySeconds = 600;

/** What is known of the searches of one holder. The keys are made of the contract and a token or an account. */
export class SearchProgress {
  private tokens = new Map<string, TokenSearch>();
  /** The time since which an account is not chosen any more. */
  readonly goneSince = new Map<string, number>();

  /** Sets the tokens that are searched, and the height from which accounts of a new one count. Some others are kept. */
  setTokens(tokens: readonly { key: string; from: number }[], isKept: (key: string) => boolean): void {
    const kept = [...this.tokens].filter(([key]) => isKept(key));
    const searched = tokens.map(({ key, from }): [string, TokenSearch] => [
      key,
      this.tokens.get(key) ?? { last: from, before: from, failures: 0 },
    ]);
    this.tokens = new Map([...kept, ...searched]);
  }

  /** The height of the last search of a token. */
  searchedTo(key: string): number | undefined {
    return this.tokens.get(key)?.last;
  }

  /** The height of the search before the last one: the last one may have read a state that is newer than its block. */
  searchedBefore(key: string): number | undefined {
    return this.tokens.get(key)?.before;
  }

  /** The lowest height of the searches before the last ones; undefined without tokens. */
  get lowest(): number | undefined {
    const all = [...this.tokens.values()].map(({ before }) => before);
    return all.length > 0 ? Math.min(...all) : undefined;
  }

  succeed(key: string, height: number): void {
    this.tokens.set(key, { last: height, before: this.tokens.get(key)?.last ?? height, failures: 0 });
  }

  /** Has a token searched again after two polls, and after ever more if it fails repeatedly. */
  fail(key: string, time: number, pollSeconds: number): void {
    const token = this.tokens.get(key);
    if (!token) return;
    token.failures += 1;
    token.failedSince ??= time;
    token.retryAt = time + backoffAfter(token.failures, { first: 2 * pollSeconds, max: maxRetrySeconds });
  }

  isDue(key: string, time: number): boolean {
    return (this.tokens.get(key)?.retryAt ?? 0) <= time;
  }

  /** The time of the next search: after a poll, or later if all tokens fail. */
  nextAt(time: number, pollSeconds: number): number {
    const retries = [...this.tokens.values()].map(({ retryAt = 0 }) => retryAt);
    return Math.max(time + pollSeconds, retries.length > 0 ? Math.min(...retries) : 0);
  }

  isFailing(key: string): boolean {
    return this.tokens.get(key)?.failedSince !== undefined;
  }

  /** The time since which searches of a token have failed for so long that it is reported. */
  failingSince(key: string, time: number): number | undefined {
    const failedSince = this.tokens.get(key)?.failedSince;
    return failedSince !== undefined && time - failedSince >= reportedSeconds ? failedSince : undefined;
  }
}
