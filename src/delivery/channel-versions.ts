import type { App } from "../app.ts";
import { type ChannelRow, listUnchanged } from "../store/channels/channels.ts";

type Version = Pick<ChannelRow, "id" | "revision">;

/** Says whether channels are still what they were, for many lanes with one question: while one is asked the next ones gather. */
export class ChannelVersions {
  private readonly app: App;
  private waiting: { channel: Version; answer: (isUnchanged: boolean) => void }[] = [];
  private isAsking = false;

  constructor(app: App) {
    this.app = app;
  }

  isUnchanged(channel: Version): Promise<boolean> {
    const answered = new Promise<boolean>((answer) => this.waiting.push({ channel, answer }));
    if (!this.isAsking) void this.askAll();
    return answered;
  }

  private async askAll(): Promise<void> {
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const some = this.waiting;
      this.waiting = [];
      // A database that is away cannot say; what is left of a lane is then given back.
      const unchanged = await listUnchanged(
        this.app.db,
        some.map(({ channel }) => channel),
      ).catch(() => new Set<string>());
      for (const { channel, answer } of some) answer(unchanged.has(channel.id));
    }
    this.isAsking = false;
  }
}
