import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound, type Outbound } from "../../lib/outbound/outbound.ts";
import type { Block } from "../block.ts";
import type { Chain } from "../chain.ts";
import type { BlockNeeds, ChainReader } from "../reader.ts";
import type { EndpointStats, RequestEvent } from "../rpc/endpoint.ts";
import { httpUrls, webSocketUrls } from "../rpc/endpoint-urls.ts";
import { makeRpc } from "../rpc/rpc.ts";
import { makeTraceLoader } from "./blocks/add-traces.ts";
import { makeBlockVerifier } from "./blocks/block-check.ts";
import { fetchBlocks } from "./blocks/fetch-blocks.ts";
import { type FindLogs, findLogs } from "./blocks/find-logs.ts";
import { classifyEvmError } from "./classify-error.ts";
import { makeFinalityTracker } from "./heads/finality.ts";
import { makeHeadTracker } from "./heads/head-tracker.ts";
import { makeHeadWatcher } from "./heads/heads.ts";
import { verifyChainId } from "./heads/verify-chain-id.ts";
import { makeReadState } from "./state/read-state.ts";

export type EvmReaderOptions = {
  chain: Chain;
  /** http(s) URLs are asked; ws(s) URLs announce new heads. */
  urls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  /** One of its own that may reach any address, unless given: RPC URLs are the operator's, not a caller's. */
  outbound?: Outbound | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  timeoutMs?: number | undefined;
  /** For one question, waits and other endpoints included. */
  deadlineMs?: number | undefined;
  /** The most gas that one call may burn, where contracts are called that somebody merely named. */
  callGas?: number | undefined;
};

export type EvmReader = ChainReader & { findLogs: FindLogs; stats(): EndpointStats[] };

/** Reads an EVM chain from several nodes, none of which is trusted: what does not fit together is never returned. */
export function makeEvmReader(options: EvmReaderOptions): EvmReader {
  const { chain, urls, clock, log, onRequest, timeoutMs, deadlineMs } = options;
  const own = options.outbound ? undefined : makeOutbound({ policy: makeAddressPolicy({ allow: anywhere }) });
  const outbound = options.outbound ?? (own as Outbound);
  const handshake = verifyChainId(chain);
  const rpc = makeRpc({
    urls: httpUrls(urls),
    outbound,
    clock,
    log,
    onRequest,
    timeoutMs,
    deadlineMs,
    classifyError: classifyEvmError,
    handshake,
  });
  const check = makeBlockVerifier(chain.chain);
  const view = makeHeadTracker(rpc, check, clock);
  const addTraces = makeTraceLoader(rpc, clock);
  const readState = makeReadState(rpc, chain, options.callGas);
  const socketUrls = webSocketUrls(urls);
  const heads = makeHeadWatcher({ socketUrls, blockTimeMs: chain.block_time_ms, clock, log });

  async function blocks(from: number, to: number, { receipts, traces }: BlockNeeds): Promise<Block[]> {
    const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    const kept = new Map<number, Block>();
    const keep = (block: Block) => kept.set(block.height, block);
    await rpc.use(
      (session) =>
        fetchBlocks(
          { session, check, receipts, keep },
          heights.filter((height) => !kept.has(height)),
        ),
      { prefer: view.endpoint(), totalMs: 30_000 },
    );
    const whole = heights.flatMap((height) => kept.get(height) ?? []);
    if (!traces || whole.length === 0) return whole;
    return addTraces(whole, view.endpoint());
  }

  return {
    head: view.head,
    blockRef: view.ref,
    blocks,
    read: (reads, at) => readState(reads, at, view.endpoint()),
    findLogs: (filter) => findLogs(rpc, filter, view.endpoint()),
    finality: makeFinalityTracker(rpc, view, clock),
    warning: view.warning,
    waitForHead: heads.wait,
    stats: rpc.stats,
    async close() {
      heads.close();
      rpc.close();
      own?.close();
    },
  };
}

const anywhere = ["0.0.0.0/0", "::/0"];
