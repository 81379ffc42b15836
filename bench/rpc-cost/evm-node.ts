import { type Hex, keccak256, pad, toHex } from "viem";
import type { Chain } from "../../src/chains/chain.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Outbound, OutboundReply } from "../../src/lib/outbound/outbound.ts";
import { JsonRpcError } from "../../test/simchain/call.ts";
import { type SimTransaction, topics } from "../../test/simchain/contents.ts";
import { jsonLogs } from "../../test/simchain/json.ts";
import { methods } from "../../test/simchain/methods.ts";
import { type SeededRandom, seededRandom } from "../../test/simchain/random.ts";
import { type SimBlock, Tree } from "../../test/simchain/tree.ts";

type Request = { id: number; method: string; params: unknown[] };

/** Blocks that are kept: more than a reader looks back on. */
const keptBlocks = 600;

/** A healthy node in the same process, on a clock that only waiting advances. It counts the calls that it answers. */
export class CountingNode implements Outbound {
  readonly clock: Clock;
  private readonly chain: Chain;
  private readonly addresses: readonly string[];
  private readonly eventsPerBlock: number;
  private readonly random: SeededRandom = seededRandom(1);
  private readonly tree = new Tree(1, { transactions: 0 });
  private readonly startMs = 1_700_000_000_000;
  private nowMs = this.startMs;
  private calls = new Map<string, number>();

  constructor(chain: Chain, addresses: readonly string[], eventsPerBlock: number) {
    this.chain = chain;
    this.addresses = addresses;
    this.eventsPerBlock = eventsPerBlock;
    const upgrades = addresses.map((address) => this.transaction(address, [topics.upgraded, pad("0x1")]));
    this.tree.setTip(this.tree.extend(this.tree.tip, { include: upgrades, seconds: 0 }));
    this.clock = { now: () => new Date(this.nowMs), sleep: (ms, signal) => this.sleep(ms, signal) };
  }

  /** The simulated time since the start. */
  get seconds(): number {
    return (this.nowMs - this.startMs) / 1000;
  }

  snapshot() {
    return { calls: new Map(this.calls), height: this.tree.tip.height };
  }

  /** The calls and blocks since a snapshot. */
  since(before: ReturnType<CountingNode["snapshot"]>) {
    this.grow();
    const counted = [...this.calls].map(
      ([method, calls]) => [method, calls - (before.calls.get(method) ?? 0)] as const,
    );
    return {
      calls: counted.reduce((total, [, calls]) => total + calls, 0),
      blocks: this.tree.tip.height - before.height,
      methods: Object.fromEntries(counted),
    };
  }

  async send({ body }: { body?: string | Buffer | undefined }): Promise<OutboundReply> {
    this.grow();
    const given: Request | Request[] = JSON.parse(String(body));
    const replies = (Array.isArray(given) ? given : [given]).map((request) => this.reply(request));
    const text = JSON.stringify(Array.isArray(given) ? replies : replies[0]);
    return { status: 200, headers: {}, body: Buffer.from(text), truncated: false } as OutboundReply;
  }

  private reply({ id, method, params }: Request): object {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const view = {
      ...{
        tree: this.tree,
        tip: this.tree.tip,
        logsOf: jsonLogs,
        acceptsHashes: true,
        chainId: this.chain.chain_id,
      },
    };
    try {
      return { jsonrpc: "2.0", id, result: methods[method]?.(view, params) ?? null };
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
    }
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

  /** Makes the blocks up to the current time. */
  private grow(): void {
    const height = Math.floor((this.nowMs - this.startMs) / this.chain.block_time_ms);
    while (this.tree.tip.height < height) {
      const { tip } = this.tree;
      const time = Math.floor((this.startMs + (tip.height + 1) * this.chain.block_time_ms) / 1000);
      const next = this.tree.extend(tip, { include: this.events(), seconds: Math.max(0, time - tip.time) });
      this.tree.setTip(next);
      forget(next);
    }
  }

  private events(): SimTransaction[] {
    const { addresses, eventsPerBlock, random } = this;
    // The blocks of a real chain are never empty.
    const others = [this.transaction(pad("0x777777", { size: 20 }), [topics.noted, random.word()])];
    if (addresses.length === 0) return others;
    const count = Math.floor(eventsPerBlock) + (random.chance(eventsPerBlock % 1) ? 1 : 0);
    const own = Array.from({ length: count }, () =>
      this.transaction(random.pick(addresses), [topics.transfer, pad("0x1"), pad("0x2")]),
    );
    return [...others, ...own];
  }

  private transaction(address: string, logTopics: Hex[]): SimTransaction {
    return {
      ...{ hash: keccak256(toHex(`${this.random.word()}`)), from: pad("0x9", { size: 20 }), to: address },
      ...{
        value: 0n,
        input: "0x",
        nonce: 0,
        gas_limit: 100_000n,
        gas_price: 1n,
        gas_used: 50_000n,
        is_success: true,
      },
      logs: [{ address, topics: logTopics, data: pad("0x1") }],
    };
  }
}

/** Cuts the chain off below what is read, so that a long run does not fill the memory. */
function forget(tip: SimBlock): void {
  let at: SimBlock | undefined = tip;
  for (let depth = 0; at && depth < keptBlocks; depth++) at = at.parent;
  if (at) at.parent = undefined;
}
