import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { ChainError } from "../../chains/reader.ts";

/** Logs one line when a chain cannot be followed, another for another reason, and one when it can be followed again. */
export class Outage {
  private readonly app: App;
  private readonly chain: string;
  private kind: string | undefined;

  constructor(app: App, { chain }: Chain) {
    this.app = app;
    this.chain = chain;
  }

  report(error: unknown): void {
    // Messages of the same kind differ in heights and times.
    const kind = error instanceof ChainError ? error.code : String(error);
    if (kind === this.kind) return;
    this.kind = kind;
    // The stack shows where in our code; what a node did needs none.
    const cause = error instanceof ChainError ? { reason: error.message } : { err: error };
    this.app.log.warn({ chain: this.chain, ...cause }, "chain cannot be followed, retrying until it can");
  }

  end(): void {
    if (this.kind === undefined) return;
    this.kind = undefined;
    this.app.log.info({ chain: this.chain }, "chain is followed again");
  }
}
