/** The bytes of evidence that may be stored for one organisation per chain and hour. */
const maxBytesPerHour = 64 * 1024 * 1024;

/** Counts the stored evidence by organisation, in hours of block time. */
export class EvidenceBudget {
  private hour = 0;
  private readonly used = new Map<string, number>();
  private readonly maxBytes: number;

  constructor(maxBytes = maxBytesPerHour) {
    this.maxBytes = maxBytes;
  }

  /** Records bytes; false if they exceed the budget of the organisation and must not be stored. */
  spend(org_id: string, time: number, bytes: number): boolean {
    this.startHour(Math.floor(time / 3600));
    const used = (this.used.get(org_id) ?? 0) + bytes;
    if (used > this.maxBytes) return false;
    this.used.set(org_id, used);
    return true;
  }

  /** A reorganisation may return to the previous hour; its count is then not repeated. */
  private startHour(hour: number): void {
    if (hour <= this.hour) return;
    this.hour = hour;
    this.used.clear();
  }
}
