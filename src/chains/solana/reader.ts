import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound } from "../../lib/outbound/outbound.ts";
import type { BlockRef, ChainReader } from "../reader.ts";
import type { CallBudget } from "../rpc/call-budget.ts";
import type { CallCounter } from "../rpc/call-counter.ts";
import type { EndpointStats } from "../rpc/endpoint.ts";
import { httpUrls, webSocketUrls } from "../rpc/endpoint-urls.ts";
import { makeRpc, type Rpc } from "../rpc/rpc.ts";
import { readSolanaState } from "./accounts/read-state.ts";
import { classifySolanaError } from "./classify-error.ts";
import { makePollTimer } from "./heads/poll-timer.ts";
import { BlockAssembler } from "./history/assemble-blocks.ts";
import { HistoryComparison } from "./history/history-comparison.ts";
import { type LagLimits, LagMonitor } from "./history/lag-monitor.ts";
import { SignatureListing } from "./history/listing.ts";
import { blockRefAt, makeSlots, type SlotTime } from "./history/slots.ts";
import { TransactionCache } from "./history/transaction-cache.ts";
import type { Limits } from "./history/watched-address.ts";

export type SolanaReaderOptions = {
  /** Requests go to http(s) URLs; ws(s) URLs announce transactions. */
  urls: readonly string[];
  clock: Clock;
  log?: Log | undefined;
  /** Subscribes to hints that there are new transactions; returns a function that unsubscribes. */
  onHint?: ((poll: () => void) => () => void) | undefined;
  counter?: CallCounter | undefined;
  budget?: CallBudget | undefined;
  pollMs?: number | undefined;
  listing?: Partial<Limits> | undefined;
  lag?: Partial<LagLimits> | undefined;
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
};

/**
 * Reads Solana by address: a block is a slot that holds transactions of watched addresses, or the newest slot of a step.
 * Committed blocks are compared with what the nodes list until they have been final for some time. A transaction that appears
 * late, moves to another slot or disappears is a fork like any other.
 */
export function makeSolanaReader(options: SolanaReaderOptions): ChainReader & { stats(): EndpointStats[] } {
  const { urls, clock, log, onHint } = options;
  const { rpc, auxiliary, close } = openRpc(options);
  let polls = 0;
  const prefer = () => polls % rpc.endpoints;
  const listing = new SignatureListing(rpc, options.listing);
  const transactions = new TransactionCache(rpc);
  const slots = makeSlots(rpc, prefer);
  const history = { rpc, listing, transactions, slots, prefer };
  const comparison = new HistoryComparison(history, new LagMonitor(options.lag));
  const assembler = new BlockAssembler(history);
  const { budget, pollMs } = options;
  const timer = makePollTimer({ socketUrls: webSocketUrls(urls), clock, log, onHint, budget, pollMs });
  let confirmed = 0;

  async function head(): Promise<BlockRef> {
    // Each poll starts at another endpoint, so that none can hide a transaction for long.
    polls += 1;
    const { slot, time }: SlotTime = await slots.head();
    confirmed = Math.max(confirmed, slot);
    return blockRefAt(slot, time);
  }

  return {
    maxHeightsPerBatch: () => 50_000,
    watch(addresses) {
      comparison.watch(addresses);
      timer.watch(addresses);
    },
    findFork: (refs, newest) => comparison.findFork(refs, newest),
    blocks: (from, to) => assembler.blocks(from, to, comparison.reached),
    head,
    blockRef: (height) => slots.refOf(height),
    read: (reads, { height }) => readSolanaState(auxiliary, reads, height, prefer()),
    finality: async () => ({ safe: confirmed, finalized: comparison.finalized }),
    popOverloadedAddress: () => comparison.popOverloadedAddress(),
    warning: () =>
      [...new Set([...rpc.problems(), ...auxiliary.problems()])].slice(0, 3).join(" ") || undefined,
    waitForHead: (_known, signal) => timer.wait(signal),
    stats: rpc.stats,
    async close() {
      timer.close();
      close();
    },
  };
}

/** The operator chose the URLs, so they may point to any address. */
function openRpc({ urls, clock, log, counter, timeoutMs, deadlineMs }: SolanaReaderOptions): {
  rpc: Rpc;
  /** For state reads, which must not delay the transactions. */
  auxiliary: Rpc;
  close(): void;
} {
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) });
  const classifyError = classifySolanaError;
  const settings = {
    urls: httpUrls(urls),
    outbound,
    clock,
    log,
    counter,
    timeoutMs,
    deadlineMs,
    classifyError,
  };
  const rpc = makeRpc(settings);
  const auxiliary = makeRpc({ ...settings, auxiliaryTo: rpc });
  const close = () => {
    rpc.close();
    auxiliary.close();
    outbound.close();
  };
  return { rpc, auxiliary, close };
}
