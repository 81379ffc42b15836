/** The requests of one connection, which are sent when they are added. */
export class RequestQueue<Request> implements AsyncIterable<Request> {
  private readonly waiting: Request[] = [];
  private wake: (() => void) | undefined;
  private isEnded = false;

  push(request: Request): void {
    this.waiting.push(request);
    this.wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Request> {
    while (true) {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) yield next;
      if (this.isEnded) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
