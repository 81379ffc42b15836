import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log/log.ts";
import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import type { Outbound } from "../../lib/outbound/outbound.ts";
import { makeOutbound } from "../../lib/outbound/outbound.ts";
import type { StreamServer } from "../family.ts";
import type { BlockRef, ChainReader } from "../reader.ts";
import type { CallBudget } from "../rpc/call-budget.ts";
import type { CallCounter } from "../rpc/call-counter.ts";
import type { EndpointStats } from "../rpc/endpoint/endpoint.ts";
import { httpUrls, webSocketUrls } from "../rpc/endpoint-urls.ts";
import { makeRpc, type Rpc } from "../rpc/rpc.ts";
import { parseReply } from "./accounts/lamports.ts";
import { readSolanaState } from "./accounts/read-state.ts";
import { classifySolanaError } from "./classify-error.ts";
import type { OpenAnnouncer } from "./heads/announcer.ts";
import { subscribeToLogs } from "./heads/log-socket.ts";
import { makePollTimer } from "./heads/poll-timer.ts";
import { makeSolanaPolling } from "./heads/polling.ts";
import { openAddressHistory } from "./history/address-past.ts";
import { BlockAssembler } from "./history/assemble-blocks.ts";
import { checkAddress } from "./history/check-address.ts";
import { HistoryComparison } from "./history/history-comparison.ts";
import { type LagLimits, LagMonitor } from "./history/lag-monitor.ts";
import { SignatureListing } from "./history/listing.ts";
import { MintScales } from "./history/mint-scales.ts";
import { blockRefAt, makeSlots, type Slots } from "./history/slots.ts";
import { TransactionCache } from "./history/transaction-cache.ts";
import { transactionsBetween } from "./history/transactions-between.ts";
import type { Limits } from "./history/watched-address.ts";
import type { StreamedBlock } from "./stream/block-collector.ts";
import { TransactionStream } from "./stream/transaction-stream.ts";
import { VaultEvidence } from "./vaults/vault-evidence.ts";

export type SolanaReaderOptions = {
  /** Requests go to http(s) URLs; ws(s) URLs announce transactions. */
  urls: readonly string[];
  /** The server that streams transactions. */
  stream?: StreamServer | undefined;
  clock: Clock;
  /** Makes the requests; the default may reach any address, because the operator chose the URLs. */
  outbound?: Outbound | undefined;
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
  const { clock, onHint } = options;
  const { rpc, auxiliary, close } = openRpc(options);
  let polls = 0;
  const prefer = () => polls % rpc.endpoints;
  const listing = new SignatureListing({ rpc, auxiliary, clock }, options.listing);
  const transactions = new TransactionCache(rpc, clock);
  const slots = makeSlots(rpc, clock, prefer);
  const evidence = new VaultEvidence(clock);
  const polling = makeSolanaPolling({ ...options, searchCalls: () => evidence.callsPerDay() });
  const maxFetched = () => polling.callsLeft() / callsPerTransaction;
  const scales = new MintScales(auxiliary);
  const shared = { clock, scales, prefer, maxFetched };
  const history = { ...shared, rpc, listing, transactions, slots };
  const past = { ...shared, rpc: auxiliary, slots: makeSlots(auxiliary, clock, prefer) };
  const lag = new LagMonitor(options.lag);
  const comparison = new HistoryComparison(history, lag, options.listing?.maxFailingMs);
  const assembler = new BlockAssembler(history);
  const stream = openStream(options, transactions, slots);
  const timer = makePollTimer({ announcers: announcersOf(options, stream), clock, onHint, polling });
  let confirmed = 0;
  /** False while the calls of the day are used up; the same throughout a poll. */
  let mayList = true;

  async function head(): Promise<BlockRef> {
    // Each poll starts at another endpoint, so that none can hide a transaction for long.
    polls += 1;
    comparison.isSelected = timer.begin();
    mayList = polling.mayList();
    const { slot, time } = await slots.head();
    confirmed = Math.max(confirmed, slot);
    return blockRefAt(slot, time);
  }

  return {
    maxHeightsPerBatch: () => 50_000,
    watch(addresses, resuming, searches) {
      comparison.watch(addresses, resuming ?? new Map(), searches);
      timer.watch(addresses);
      polling.countSearches(searches?.calls ?? 0);
    },
    follow(plan) {
      polling.follow(plan);
      comparison.awaitsFinality = plan.awaitsFinality;
    },
    pace: () => polling.pace(),
    mayReadBlocks: () => mayList && polling.callsLeft() > 0,
    findFork: async (refs, newest) => (mayList ? comparison.findFork(refs, newest) : undefined),
    blocks: (from, to) => assembler.blocks(from, to, comparison.reached),
    head,
    blockRef: (height) => slots.refOf(height),
    read: (reads, { height }) =>
      readSolanaState({ rpc: auxiliary, slot: height, prefer: prefer(), evidence }, reads),
    transactionsBetween: (address, range) =>
      transactionsBetween(
        { rpc: auxiliary, clock, prefer: prefer(), callsLeft: polling.callsLeft },
        address,
        range,
      ),
    finality: async () => ({ safe: confirmed, finalized: comparison.finalized }),
    popUnreadableAddress: () => comparison.popUnreadable(),
    checkAddress: (address) => checkAddress(auxiliary, address, transactions.perSecond),
    past: {
      open: (addresses) => openAddressHistory(past, addresses, options.listing),
      stableTo: () => comparison.stableTo,
      hold(height) {
        comparison.heldFrom = height;
      },
    },
    warning: () =>
      [
        polling.warning(),
        stream?.problem(),
        ...new Set([...rpc.problems(), ...auxiliary.problems(), ...listing.problems()]),
      ]
        .filter((sentence) => sentence !== undefined)
        .slice(0, 3)
        .join(" ") || undefined,
    waitForHead: (_known, signal) => timer.wait(signal),
    stats: rpc.stats,
    async close() {
      timer.close();
      close();
    },
  };
}

function openStream(
  { stream, clock, log }: SolanaReaderOptions,
  transactions: TransactionCache,
  slots: Slots,
): TransactionStream | undefined {
  if (!stream) return undefined;
  const onBlock = (block: StreamedBlock) => {
    transactions.add(block.transactions);
    slots.addHash(block.slot, block.hash);
  };
  return new TransactionStream({ ...stream, clock, log, onBlock });
}

function announcersOf(
  { urls, clock, log, counter }: SolanaReaderOptions,
  stream: TransactionStream | undefined,
): OpenAnnouncer[] {
  const sockets = webSocketUrls(urls).map((url): OpenAnnouncer => {
    const endpoint = { endpoint: urls.indexOf(url) + 1, host: new URL(url).host };
    const onCall = (method: string) => counter?.count(endpoint, method);
    return (announcing) => subscribeToLogs(url, { ...announcing, clock, log, onCall });
  });
  return [...sockets, ...(stream ? [stream.open.bind(stream)] : [])];
}

/** Each transaction takes a call, and each slot with transactions another one. */
const callsPerTransaction = 2;

/** The operator chose the URLs, so they may point to any address. */
function openRpc(options: SolanaReaderOptions): {
  rpc: Rpc;
  /** For state reads, which must not delay the transactions. */
  auxiliary: Rpc;
  close(): void;
} {
  const { urls, clock, log, counter, timeoutMs, deadlineMs } = options;
  const ownSocket = options.outbound
    ? undefined
    : makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) });
  const settings = {
    urls: httpUrls(urls),
    outbound: options.outbound ?? (ownSocket as Outbound),
    ...{ clock, log, counter, timeoutMs, deadlineMs },
    classifyError: classifySolanaError,
    parseReply,
  };
  const rpc = makeRpc(settings);
  const auxiliary = makeRpc({ ...settings, auxiliaryTo: rpc });
  const close = () => {
    rpc.close();
    auxiliary.close();
    ownSocket?.close();
  };
  return { rpc, auxiliary, close };
}
