import type { Block } from "../block.ts";
import type { Chain } from "../chain.ts";
import type { ChainReader } from "../reader.ts";
import type { BlockNeeds, ReadingPlan } from "../reading-plan.ts";
import type { EndpointStats } from "../rpc/endpoint/endpoint.ts";
import { webSocketUrls } from "../rpc/endpoint-urls.ts";
import { makeBlockVerifier } from "./blocks/block-verifier.ts";
import { type FindLogs, findLogs } from "./blocks/find-logs.ts";
import { makeFetchTraces } from "./blocks/trace-blocks.ts";
import { finalitySeconds } from "./heads/estimate-calls.ts";
import { makeFinalityTracker } from "./heads/finality.ts";
import { makeHeadTracker } from "./heads/head-tracker.ts";
import { makeHeadWatcher } from "./heads/head-watcher.ts";
import { makePolling, type Polling } from "./heads/polling.ts";
import { type EvmRpcs, openRpcs } from "./open-rpcs.ts";
import { makeReadBlocks } from "./read-blocks.ts";
import type { EvmReaderOptions } from "./reader-options.ts";
import { makeFindActive } from "./scan/active-addresses.ts";
import { makeFetchSenders } from "./scan/fetch-senders.ts";
import { LogScanner } from "./scan/log-scanner.ts";
import { makeReadOnce } from "./state/read-once.ts";
import { makeReadState } from "./state/read-state.ts";

export type EvmReader = ChainReader & { findLogs: FindLogs; stats(): EndpointStats[] };

/** Reads an EVM chain from several untrusted nodes. Inconsistent data is never returned. */
export function makeEvmReader(options: EvmReaderOptions): EvmReader {
  const { chain, clock, budget, pollMs, deadlineMs } = options;
  const rpcs = openRpcs(options);
  const { rpc, auxiliary } = rpcs;
  const verifier = makeBlockVerifier(chain, clock);
  const tracker = makeHeadTracker(rpc, verifier, clock);
  const polling = makePolling({ chain, pollMs, budget });
  const heads = watchHeads(options, polling);
  const scanner = new LogScanner({ rpc, tracker, verifier, chain });
  const readBlocks = makeReadBlocks({ rpc, tracker, verifier, deadlineMs });
  const readState = chooseReadState(options, rpcs);
  let finalityMs = 4_000;

  async function blocks(from: number, to: number, needs: BlockNeeds): Promise<Block[]> {
    return (await readBlocks(from, to, needs)).map((block) => scanner.addLateLogs(block));
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
    finalityMs = finalityIntervalMs(plan, chain);
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
    read: (reads, index) => readState(reads, index, tracker.endpoint()),
    findLogs: (filter) => findLogs(rpc, filter, tracker.endpoint()),
    activeAddresses: makeFindActive(auxiliary, clock, tracker.endpoint),
    senders: makeFetchSenders(auxiliary, tracker.endpoint),
    traces: makeFetchTraces(auxiliary, clock, tracker.endpoint),
    finality: makeFinalityTracker(auxiliary, tracker, clock, () => finalityMs),
    warning: () =>
      firstSentences([
        ...[tracker.warning(), polling.warning(), verifier.tolerance.warning()],
        ...[...heads.problems(), ...rpc.problems(), ...auxiliary.problems()],
      ]),
    waitForHead: heads.wait,
    stats: rpc.stats,
    async close() {
      heads.close();
      rpcs.close();
    },
  };
}

/** A reader for requests never waits for new heads. */
function watchHeads({ chain, urls, clock, log, counter, isForRequests }: EvmReaderOptions, polling: Polling) {
  return makeHeadWatcher({
    socketUrls: isForRequests ? [] : webSocketUrls(urls),
    ...{ blockTimeMs: chain.block_time_ms, polling, clock, log },
    alwaysProducesBlocks: chain.alwaysProducesBlocks,
    onSubscribe: (url) =>
      counter?.count({ endpoint: urls.indexOf(url) + 1, host: new URL(url).host }, "eth_subscribe"),
  });
}

function chooseReadState({ chain, isForRequests }: EvmReaderOptions, { rpc, auxiliary }: EvmRpcs) {
  if (isForRequests)
    return makeReadState({ rpc, chain, callGas: requestGas, usesMulticall: false, failsIndividually: false });
  return makeReadOnce(
    makeReadState({
      rpc: auxiliary,
      chain,
      callGas: engineGas,
      usesMulticall: true,
      failsIndividually: true,
    }),
  );
}

function finalityIntervalMs(plan: ReadingPlan, chain: Chain): number {
  if (plan.reads === "nothing") return Number.POSITIVE_INFINITY;
  return 1000 * finalitySeconds(plan.awaitsFinality, chain.block_time_ms / 1000);
}

/** At most three. Both users of an endpoint may have learned the same about it. */
function firstSentences(sentences: (string | undefined)[]): string | undefined {
  const given = sentences.filter((sentence) => sentence !== undefined);
  return [...new Set(given)].slice(0, 3).join(" ") || undefined;
}

/** The heights of one batch. With traces, a block may have a hundred thousand internal calls. */
function maxHeights(plan: ReadingPlan, readsAllHeaders: boolean): number {
  if (plan.reads === "blocks") return plan.needs.traces ? 20 : 200;
  if (plan.reads === "logs") return readsAllHeaders ? 200 : 2_000;
  return Number.POSITIVE_INFINITY;
}

/** Callers of the API may name any contract, and one that loops must not keep a node busy. */
const requestGas = 3_000_000;
const engineGas = 10_000_000;
