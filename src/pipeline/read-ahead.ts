/** One reading that was begun before it is needed. */
export class ReadAhead<Result> {
  private begun: { from: number; to: number; result: Promise<Result> } | undefined;

  begin(from: number, to: number, read: () => Promise<Result>): void {
    const result = read();
    // Whoever takes it hears of a failure; if nobody does, nobody needs to.
    result.catch(() => undefined);
    this.begun = { from, to, result };
  }

  /** What was begun for exactly this span, or else read now. */
  async take(from: number, to: number, read: () => Promise<Result>): Promise<Result> {
    const { begun } = this;
    this.begun = undefined;
    return begun?.from === from && begun.to === to ? begun.result : read();
  }
}
