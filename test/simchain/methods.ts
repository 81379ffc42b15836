import { type Hex, pad, toHex } from "viem";
import { call, JsonRpcError, multicall3 } from "./call.ts";
import { contracts } from "./contents.ts";
import { type JsonLog, jsonBlock, jsonReceipts, jsonTransaction } from "./json.ts";
import { accountOf } from "./state.ts";
import { jsonTraces } from "./traces.ts";
import { ancestorAt, type SimBlock, type Tree } from "./tree.ts";

/** The chain as one node sees it: the branch up to its tip. */
export type ChainView = {
  tree: Tree;
  tip: SimBlock;
  /** The logs of a block as this node returns them: all of them, or those that match a filter. */
  logsOf(block: SimBlock, isFiltered?: boolean): JsonLog[];
  /** True if state can be read by block hash. */
  acceptsHashes: boolean;
  chainId: number;
  /** True if this block is too expensive for the node to trace. */
  rejectsTrace?: ((hash: string) => boolean) | undefined;
  rangeLimit?: { blocks: number; code: number; text: (from: number, to: number) => string } | undefined;
};

type Method = (view: ChainView, params: unknown[]) => unknown;

/** Simple implementations of the methods that the reader uses. */
export const methods: Record<string, Method> = {
  eth_chainId: ({ chainId }) => toHex(chainId),
  eth_blockNumber: ({ tip }) => toHex(tip.height),
  eth_getBlockByNumber(view, [tag, isFull]) {
    const block = blockByTag(view, tag);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockByHash(view, [hash, isFull]) {
    const block = blockByHash(view, hash);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockReceipts(view, [which]) {
    const block = String(which).length === 66 ? blockByHash(view, which) : blockByTag(view, which);
    return block ? jsonReceipts(block, view.logsOf(block)) : null;
  },
  eth_getTransactionByHash(view, [hash]) {
    for (let at: SimBlock | undefined = view.tip; at; at = at.parent) {
      const index = at.transactions.findIndex((transaction) => transaction.hash === hash);
      if (index !== -1) return jsonTransaction(at, index);
    }
    return null;
  },
  eth_getTransactionReceipt(view, [hash]) {
    for (let at: SimBlock | undefined = view.tip; at; at = at.parent) {
      const index = at.transactions.findIndex((transaction) => transaction.hash === hash);
      if (index !== -1) return jsonReceipts(at, view.logsOf(at))[index];
    }
    return null;
  },
  eth_getLogs: getLogs,
  debug_traceBlockByHash(view, [hash]) {
    if (view.rejectsTrace?.(String(hash))) throw new JsonRpcError(-32000, "execution timeout");
    const block = blockByHash(view, hash);
    if (!block) throw new JsonRpcError(-32000, `block ${hash} not found`);
    return jsonTraces(block);
  },
  eth_call(view, [request, at]) {
    const { to, data } = request as { to: string; data: Hex };
    return call(stateBlock(view, at), to, data);
  },
  eth_getBalance: (view, [address, at]) =>
    toHex(accountOf(stateBlock(view, at).state, String(address)).balance),
  eth_getStorageAt(view, [address, slot, at]) {
    const account = accountOf(stateBlock(view, at).state, String(address));
    return BigInt(String(slot)) === 0n ? pad(toHex(account.logs), { size: 32 }) : account.implementation;
  },
  eth_getCode: (_, [address]) =>
    [...contracts, multicall3].some((one) => one.toLowerCase() === String(address).toLowerCase())
      ? "0x6001"
      : "0x",
};

function getLogs(view: ChainView, [filter]: unknown[]): JsonLog[] {
  const { blockHash, fromBlock, toBlock, address, topics } = filter as Record<string, unknown>;
  const isFiltered = Boolean(address || topics);
  const matches = logFilter(filter as LogFilter);
  if (blockHash) {
    const block = blockByHash(view, blockHash);
    if (!block) throw new JsonRpcError(-32000, "unknown block");
    return view.logsOf(block, isFiltered).filter(matches);
  }
  const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), view.tip.height)];
  const { rangeLimit } = view;
  if (rangeLimit && Number(toBlock) - from + 1 > rangeLimit.blocks) {
    throw new JsonRpcError(rangeLimit.code, rangeLimit.text(from, Number(toBlock)));
  }
  const found: JsonLog[][] = [];
  for (let at = ancestorAt(view.tip, to); at && at.height >= from; at = at.parent)
    found.push(view.logsOf(at, isFiltered).filter(matches));
  return found.reverse().flat();
}

type LogFilter = { address?: string[]; topics?: (string[] | null)[] };

/** Matches logs by address and first topic. */
function logFilter({ address, topics: [first] = [] }: LogFilter): (log: JsonLog) => boolean {
  const addresses = address && new Set(address.map((one) => one.toLowerCase()));
  const topics = first && new Set(first);
  return (log) =>
    (addresses?.has(log.address.toLowerCase()) ?? true) && (topics?.has(log.topics[0] ?? "0x") ?? true);
}

function blockByHash({ tree, tip }: ChainView, hash: unknown): SimBlock | undefined {
  const block = tree.get(String(hash));
  return block && ancestorAt(tip, block.height) === block ? block : undefined;
}

function blockByTag({ tip }: ChainView, tag: unknown): SimBlock | undefined {
  if (tag === "latest") return tip;
  if (tag === "safe") return ancestorAt(tip, Math.max(0, tip.height - 4));
  if (tag === "finalized") return ancestorAt(tip, Math.max(0, tip.height - 8));
  return ancestorAt(tip, Number(tag));
}

function stateBlock(view: ChainView, at: unknown): SimBlock {
  const isHash = typeof at === "object" && at !== null;
  if (isHash && !view.acceptsHashes)
    throw new JsonRpcError(-32602, "invalid argument 1: cannot unmarshal object");
  const block = isHash
    ? blockByHash(view, (at as { blockHash?: unknown }).blockHash)
    : blockByTag(view, at ?? "latest");
  if (!block) throw new JsonRpcError(-32000, "header not found");
  return block;
}
