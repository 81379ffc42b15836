/** The heights of the last two searches. */
type Heights = { last: number; before: number };

/** The time after which a holder whose searches fail is reported. */
const reportedSeconds = 60;

/** What is known of the searches of one holder. The keys are made of the contract and a token or an account. */
export class SearchProgress {
  private heights = new Map<string, Heights>();
  /** The time since which an account is not chosen any more. */
  readonly goneSince = new Map<string, number>();
  failures = 0;
  private failedSince: number | undefined;

  /** Sets the tokens that are searched, and the height from which accounts of a new one count. Some others are kept. */
  setTokens(tokens: readonly { key: string; from: number }[], isKept: (key: string) => boolean): void {
    const kept = [...this.heights].filter(([key]) => isKept(key));
    const searched = tokens.map(({ key, from }): [string, Heights] => [
      key,
      this.heights.get(key) ?? { last: from, before: from },
    ]);
    this.heights = new Map([...kept, ...searched]);
  }

  /** The height of the last search of a token. */
  searchedTo(key: string): number | undefined {
    return this.heights.get(key)?.last;
  }

  /** The height of the search before the last one: the last one may have read a state that is newer than its block. */
  searchedBefore(key: string): number | undefined {
    return this.heights.get(key)?.before;
  }

  /** The lowest height of the searches before the last ones; undefined without tokens. */
  get lowest(): number | undefined {
    const all = [...this.heights.values()].map(({ before }) => before);
    return all.length > 0 ? Math.min(...all) : undefined;
  }

  succeed(keys: readonly string[], height: number): void {
    for (const key of keys)
      this.heights.set(key, { last: height, before: this.heights.get(key)?.last ?? height });
    this.failures = 0;
    this.failedSince = undefined;
  }

  fail(time: number): void {
    this.failures += 1;
    this.failedSince ??= time;
  }

  /** The time since which searches have failed for so long that it is reported. */
  failingSince(time: number): number | undefined {
    const { failedSince } = this;
    return failedSince !== undefined && time - failedSince >= reportedSeconds ? failedSince : undefined;
  }
}
