/** One reading that was begun before it is needed. */
export class Prefetch<Result> {
  private begun: { what: string; result: Promise<Result> } | undefined;

  /** `what` says everything that the result depends on. */
  begin(what: string, read: () => Promise<Result>): void {
    const result = read();
    // Whoever takes it hears of a failure; if nobody does, nobody needs to.
    result.catch(() => undefined);
    this.begun = { what, result };
  }

  /** What was begun for exactly this, or else read now. */
  async take(what: string, read: () => Promise<Result>): Promise<Result> {
    const { begun } = this;
    this.begun = undefined;
    return begun?.what === what ? begun.result : read();
  }
}
