import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound, type Outbound } from "../../lib/outbound/outbound.ts";
import type { Block } from "../block.ts";
import type { Chain } from "../chain.ts";
import type { ChainReader } from "../reader.ts";
import type { BlockNeeds, ReadingPlan } from "../reading-plan.ts";
import type { CallBudget } from "../rpc/call-budget.ts";
import type { CallCounter } from "../rpc/call-counter.ts";
import type { EndpointStats, RequestEvent } from "../rpc/endpoint/endpoint.ts";
import { callUrls, webSocketUrls } from "../rpc/endpoint-urls.ts";
import { makeRpc } from "../rpc/rpc.ts";
import { makeBlockVerifier } from "./blocks/block-verifier.ts";
import { fetchBlocks } from "./blocks/fetch-blocks.ts";
import { type FindLogs, findLogs } from "./blocks/find-logs.ts";
import { makeFetchTraces } from "./blocks/trace-blocks.ts";
import { classifyEvmError } from "./classify-error.ts";
import { finalitySeconds } from "./heads/estimate-calls.ts";
import { makeFinalityTracker } from "./heads/finality.ts";
import { makeHeadTracker } from "./heads/head-tracker.ts";
import { makeHeadWatcher } from "./heads/head-watcher.ts";
import { makePolling } from "./heads/polling.ts";
import { verifyChainId } from "./heads/verify-chain-id.ts";
import { makeFindActive } from "./scan/active-addresses.ts";
import { makeFetchSenders } from "./scan/fetch-senders.ts";
import { LogScanner } from "./scan/log-scanner.ts";
import { makeReadOnce } from "./state/read-once.ts";
import { makeReadState } from "./state/read-state.ts";

export type EvmReaderOptions = {
  chain: Chain;
  /** Calls go to http(s) URLs, or to ws(s) URLs if there are no others; ws(s) URLs announce new heads. */
  urls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  /** By default a client that may reach any address, because the operator chose the RPC URLs. */
  outbound?: Outbound | undefined;
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Counts every call. */
  counter?: CallCounter | undefined;
  budget?: CallBudget | undefined;
  /** The interval between polls that the operator chose. */
  pollMs?: number | undefined;
  timeoutMs?: number | undefined;
  /** For one task, including waits and other endpoints. */
  deadlineMs?: number | undefined;
  /**
   * Reads on behalf of a request: one that fails rejects, with a gas limit that suits contracts that callers choose. The
   * engine's state reads settle one by one, and never compete with its blocks.
   */
  isForRequests?: boolean | undefined;
};

export type EvmReader = ChainReader & { findLogs: FindLogs; stats(): EndpointStats[] };

/** Reads an EVM chain from several untrusted nodes. Inconsistent data is never returned. */
export function makeEvmReader(options: EvmReaderOptions): EvmReader {
  const { chain, urls, clock, log, onRequest, counter, budget, pollMs, timeoutMs, deadlineMs } = options;
  const ownOutbound = options.outbound
    ? undefined
    : makeOutbound({ policy: makeAddressPolicy({ allow: anywhere }) });
  const outbound = options.outbound ?? (ownOutbound as Outbound);
  const handshake = verifyChainId(chain);
  const rpc = makeRpc({
    urls: callUrls(urls),
    outbound,
    clock,
    log,
    onRequest,
    counter,
    timeoutMs,
    deadlineMs,
    classifyError: classifyEvmError,
    handshake,
  });
  const auxiliary = makeRpc({
    ...{ urls: callUrls(urls), outbound, clock, log, onRequest, counter, handshake, auxiliaryTo: rpc },
    timeoutMs: timeoutMs ?? auxiliaryTimeoutMs,
    deadlineMs: deadlineMs ?? auxiliaryDeadlineMs,
    classifyError: classifyEvmError,
  });
  const verifier = makeBlockVerifier(chain, clock);
  const tracker = makeHeadTracker(rpc, verifier, clock);
  const readState = options.isForRequests
    ? makeReadState({ rpc, chain, callGas: requestGas, usesMulticall: false, settlesEach: false })
    : makeReadOnce(
        makeReadState({ rpc: auxiliary, chain, callGas: engineGas, usesMulticall: true, settlesEach: true }),
      );
  // A reader for requests never waits for new heads.
  const socketUrls = options.isForRequests ? [] : webSocketUrls(urls);
  const polling = makePolling({ chain, pollMs, budget });
  const heads = makeHeadWatcher({
    ...{ socketUrls, blockTimeMs: chain.block_time_ms, polling, clock, log },
    alwaysProducesBlocks: chain.alwaysProducesBlocks,
    onSubscribe: (url) => countSubscription(counter, urls, url),
  });
  const scanner = new LogScanner({ rpc, tracker, verifier, chain });
  let finalityMs = 4_000;

  async function blocks(from: number, to: number, { receipts, watched }: BlockNeeds): Promise<Block[]> {
    const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    const fetched = new Map<number, Block>();
    const keep = (block: Block) => fetched.set(block.height, block);
    let known: ReadonlyMap<number, unknown> | undefined = new Map(tracker.recent);
    await rpc.use(
      (session) => {
        const context = { session, verifier, receipts, watched, known, onBlock: keep };
        // If it failed because of the head, the head has to be fetched again.
        known = undefined;
        return fetchBlocks(
          context,
          heights.filter((height) => !fetched.has(height)),
        );
      },
      { prefer: tracker.endpoint(), totalMs: Math.max(deadlineMs ?? 0, blocksDeadlineMs) },
    );
    return heights.flatMap((height) => {
      const block = fetched.get(height);
      return block ? [scanner.addLateLogs(block)] : [];
    });
  }

  async function scan(from: number, to: number, plan: ReadingPlan): Promise<Block[]> {
    if (plan.reads === "blocks") return blocks(from, to, plan.needs);
    if (plan.reads === "logs") return scanner.scan(from, to, plan);
    const ref = await tracker.ref(to);
    const parent_hash = from === to ? (ref?.parent_hash ?? "") : "";
    return ref ? [{ ...ref, parent_hash, transactions: [], logs: [] }] : [];
  }

  function follow(plan: ReadingPlan): void {
    polling.follow(plan);
    tracker.fetchWhole(plan.reads === "blocks");
    tracker.surveyEvery(10_000 * Math.min(6, polling.pace().pollSeconds));
    finalityMs =
      plan.reads === "nothing"
        ? Number.POSITIVE_INFINITY
        : 1000 * finalitySeconds(plan.awaitsFinality, chain.block_time_ms / 1000);
  }

  return {
    head: tracker.head,
    blockRef: tracker.ref,
    blocks,
    scan,
    rememberScans: (filters) => scanner.rememberFilters(filters),
    findLateLogs: (refs, newest, plan) => scanner.findLateLogs(refs, newest, plan),
    follow,
    pace: polling.pace,
    maxHeightsPerBatch: (plan) =>
      Math.min(maxHeights(plan, scanner.readsAllHeaders), Math.max(1, polling.blocksLeft())),
    mayReadBlocks: () => polling.blocksLeft() > 0,
    read: (reads, at) => readState(reads, at, tracker.endpoint()),
    findLogs: (filter) => findLogs(rpc, filter, tracker.endpoint()),
    activeAddresses: makeFindActive(auxiliary, clock, tracker.endpoint),
    senders: makeFetchSenders(auxiliary, tracker.endpoint),
    traces: makeFetchTraces(auxiliary, clock, tracker.endpoint),
    finality: makeFinalityTracker(auxiliary, tracker, clock, () => finalityMs),
    warning() {
      const sentences = [
        tracker.warning(),
        polling.warning(),
        verifier.tolerance.warning(),
        ...heads.problems(),
        ...rpc.problems(),
        ...auxiliary.problems(),
      ];
      // Both users of an endpoint may have learned the same about it.
      return (
        [...new Set(sentences.filter((sentence) => sentence !== undefined))].slice(0, 3).join(" ") ||
        undefined
      );
    },
    waitForHead: heads.wait,
    stats: rpc.stats,
    async close() {
      heads.close();
      rpc.close();
      auxiliary.close();
      ownOutbound?.close();
    },
  };
}

function countSubscription(counter: CallCounter | undefined, urls: readonly string[], url: string): void {
  counter?.count({ endpoint: urls.indexOf(url) + 1, host: new URL(url).host }, "eth_subscribe");
}

/** The heights of one batch. With traces, a block may have a hundred thousand internal calls. */
function maxHeights(plan: ReadingPlan, readsAllHeaders: boolean): number {
  if (plan.reads === "blocks") return plan.needs.traces ? 20 : 200;
  if (plan.reads === "logs") return readsAllHeaders ? 200 : 2_000;
  return Number.POSITIVE_INFINITY;
}

/** A batch of blocks takes longer than other tasks. */
const blocksDeadlineMs = 30_000;
/** State reads, finality and traces give up sooner than blocks. */
const auxiliaryTimeoutMs = 8_000;
const auxiliaryDeadlineMs = 15_000;
/** Callers of the API may name any contract, and one that loops must not keep a node busy. */
const requestGas = 3_000_000;
const engineGas = 10_000_000;

const anywhere = ["0.0.0.0/0", "::/0"];
