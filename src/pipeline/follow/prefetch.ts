/** One read that was started before its result is needed. */
export class Prefetch<Result> {
  private started: { key: string; result: Promise<Result> } | undefined;

  /** Starts a read. The key must identify everything that the result depends on. */
  start(key: string, read: () => Promise<Result>): void {
    const result = read();
    // The caller of `resultOf` gets the failure. A result that is never used may fail unnoticed.
    result.catch(() => undefined);
    this.started = { key, result };
  }

  /** Returns the result of the read that was started under the same key, or else reads now. */
  async resultOf(key: string, read: () => Promise<Result>): Promise<Result> {
    const { started } = this;
    this.started = undefined;
    return started?.key === key ? started.result : read();
  }
}
