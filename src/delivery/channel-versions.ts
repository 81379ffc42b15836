import type { App } from "../app.ts";
import { type ChannelRow, listUnchanged } from "../store/channels/channels.ts";

type Version = Pick<ChannelRow, "id" | "revision">;

/** Checks whether channels are unchanged. Requests that arrive during a query are batched into the next one. */
export class ChannelVersions {
  private readonly app: App;
  private waiting: { channel: Version; resolve: (isUnchanged: boolean) => void }[] = [];
  private isQuerying = false;

  constructor(app: App) {
    this.app = app;
  }

  isUnchanged(channel: Version): Promise<boolean> {
    const result = new Promise<boolean>((resolve) => this.waiting.push({ channel, resolve }));
    if (!this.isQuerying) void this.queryAll();
    return result;
  }

  private async queryAll(): Promise<void> {
    this.isQuerying = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      // Without the database the channels count as changed, so that their lanes end.
      const unchanged = await listUnchanged(
        this.app.db,
        batch.map(({ channel }) => channel),
      ).catch(() => new Set<string>());
      for (const { channel, resolve } of batch) resolve(unchanged.has(channel.id));
    }
    this.isQuerying = false;
  }
}
