/** The smallest share: one block of two hundred. */
const minShare = 1 / 200;

/**
 * Adapts the batch size to the endpoints: smaller after a failed read, larger again after each success. A slow or
 * rate-limited endpoint would otherwise fail on the same large batch for ever.
 */
export class BatchPacer {
  private share = 1;

  /** Returns whether the endpoints have recently failed to deliver a full batch. */
  get isSlow(): boolean {
    return this.share < 1;
  }

  /** Scales the maximum batch size down to the current share. */
  scale(max: number): number {
    return Math.max(1, Math.floor(max * this.share));
  }

  /** Adjusts the share by the outcome of a read, and passes the outcome on. */
  async observe<Result>(read: Promise<Result>): Promise<Result> {
    try {
      const result = await read;
      this.share = Math.min(1, this.share * 1.5);
      return result;
    } catch (error) {
      this.share = Math.max(minShare, this.share / 4);
      throw error;
    }
  }
}
