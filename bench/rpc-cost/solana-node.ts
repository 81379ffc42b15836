import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Outbound, OutboundReply } from "../../src/lib/outbound/outbound.ts";
import type { Cluster } from "../../test/solana/cluster/cluster.ts";
import { replyOf } from "../../test/solana/cluster/node.ts";

type Request = { id: number; method: string; params: unknown[] };

/** The token of the idle cluster. */
export const idleMint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const slotMs = 400;
const firstSlot = 300_000_000;

/**
 * An idle cluster in the same process, on a clock that only waiting advances. It counts the calls that it answers. Accounts and
 * transactions are those of `contents`, if given.
 */
export class SolanaCountingNode implements Outbound {
  readonly clock: Clock;
  private readonly startMs = 1_700_000_000_000;
  private nowMs = this.startMs;
  private readonly calls = new Map<string, number>();
  private readonly contents: Cluster | undefined;

  constructor(contents?: Cluster) {
    this.contents = contents;
    this.clock = { now: () => new Date(this.nowMs), sleep: (ms, signal) => this.sleep(ms, signal) };
  }

  get seconds(): number {
    return (this.nowMs - this.startMs) / 1000;
  }

  /** The calls so far, by method. */
  snapshot(): Map<string, number> {
    return new Map(this.calls);
  }

  async send({ body }: { body?: string | Buffer | undefined }): Promise<OutboundReply> {
    const given: Request | Request[] = JSON.parse(String(body));
    const replies = [given].flat().map((request) => this.reply(request));
    const text = JSON.stringify(Array.isArray(given) ? replies : replies[0]);
    return { status: 200, headers: {}, body: Buffer.from(text), truncated: false } as OutboundReply;
  }

  private reply({ id, method, params }: Request): object {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    return { jsonrpc: "2.0", id, result: this.resultOf(method, params) };
  }

  private resultOf(method: string, params: unknown[]): unknown {
    const slot = firstSlot + Math.floor((this.nowMs - this.startMs) / slotMs);
    const context = { slot };
    if (method === "getSlot") return slot - 32;
    if (String(params[0]).startsWith("SysvarC1ock")) return { context, value: this.clockAt(slot) };
    if (this.contents) return contentsOf(this.contents, method, params);
    switch (method) {
      case "getAccountInfo":
        return { context, value: params[0] === idleMint ? { ...account, owner: tokenProgram } : account };
      case "getMultipleAccounts":
        return { context, value: (params[0] as string[]).map(() => account) };
      case "getTokenAccountsByOwner":
        return { context, value: [] };
      case "getSignaturesForAddress":
        return [];
      default:
        throw new Error(`the idle cluster does not expect ${method}`);
    }
  }

  private clockAt(slot: number): object {
    const data = Buffer.alloc(40);
    data.writeBigUInt64LE(BigInt(slot));
    data.writeBigInt64LE(BigInt(Math.floor(this.nowMs / 1000)), 32);
    return { data: [data.toString("base64"), "base64"] };
  }

  /** A wait that is not ended by its signal first advances the clock. */
  private sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(() => {
        this.nowMs += ms;
        resolve();
      }, 3);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The slots of the contents are older than those of the clock. */
function contentsOf(contents: Cluster, method: string, params: unknown[]): unknown {
  const options = params.map((param) =>
    typeof param === "object" && param !== null && !Array.isArray(param)
      ? { ...param, minContextSlot: 0 }
      : param,
  );
  const reply = replyOf(contents, { method, params: options });
  if ("result" in reply) return reply.result;
  throw new Error(`the idle cluster does not expect ${method}`);
}

const account = {
  ...{ owner: "11111111111111111111111111111111", executable: false, lamports: 1_000_000_000 },
  data: ["", "base64"],
};
