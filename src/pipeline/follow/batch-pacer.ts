/** No less than a block of two hundred. */
const least = 1 / 200;

/**
 * How much is read at once: less when the nodes do not give it in time, more again as they do. A slow node, or one that may
 * not be asked often, would otherwise be asked for the same two hundred blocks for ever.
 */
export class BatchPacer {
  private share = 1;

  /** Whether the nodes have lately failed to give what they were asked for. */
  get isSlow(): boolean {
    return this.share < 1;
  }

  of(most: number): number {
    return Math.max(1, Math.floor(most * this.share));
  }

  /** Learns from how a reading ends. */
  async watch<Result>(reading: Promise<Result>): Promise<Result> {
    try {
      const result = await reading;
      this.share = Math.min(1, this.share * 1.5);
      return result;
    } catch (error) {
      this.share = Math.max(least, this.share / 4);
      throw error;
    }
  }
}
