import { type Hex, pad, toHex } from "viem";
import { call, JsonRpcError, multicall3 } from "./call.ts";
import { contracts } from "./contents.ts";
import { type JsonLog, jsonBlock, jsonReceipts } from "./json.ts";
import { accountOf } from "./state.ts";
import { jsonTraces } from "./traces.ts";
import { ancestorAt, type SimBlock, type Tree } from "./tree.ts";

/** What a node knows: the branch up to its own tip. */
export type Knowledge = {
  tree: Tree;
  tip: SimBlock;
  /** The logs of a block as this node tells them. */
  logsOf(block: SimBlock): JsonLog[];
  /** Whether state can be asked for by a block's hash. */
  takesHashes: boolean;
  chainId: number;
  /** Whether tracing this block is too much for the node. */
  refusesTrace?: ((hash: string) => boolean) | undefined;
  rangeLimit?: { blocks: number; code: number; text: (from: number, to: number) => string } | undefined;
};

type Method = (knows: Knowledge, params: unknown[]) => unknown;

/** The methods that the reader uses, and the simplest way to answer each of them. */
export const methods: Record<string, Method> = {
  eth_chainId: ({ chainId }) => toHex(chainId),
  eth_blockNumber: ({ tip }) => toHex(tip.height),
  eth_getBlockByNumber(knows, [tag, isFull]) {
    const block = blockByTag(knows, tag);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockByHash(knows, [hash, isFull]) {
    const block = blockByHash(knows, hash);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockReceipts(knows, [which]) {
    const block = String(which).length === 66 ? blockByHash(knows, which) : blockByTag(knows, which);
    return block ? jsonReceipts(block, knows.logsOf(block)) : null;
  },
  eth_getTransactionReceipt(knows, [hash]) {
    for (let at: SimBlock | undefined = knows.tip; at; at = at.parent) {
      const index = at.transactions.findIndex((transaction) => transaction.hash === hash);
      if (index !== -1) return jsonReceipts(at, knows.logsOf(at))[index];
    }
    return null;
  },
  eth_getLogs: getLogs,
  debug_traceBlockByHash(knows, [hash]) {
    if (knows.refusesTrace?.(String(hash))) throw new JsonRpcError(-32000, "execution timeout");
    const block = blockByHash(knows, hash);
    if (!block) throw new JsonRpcError(-32000, `block ${hash} not found`);
    return jsonTraces(block);
  },
  eth_call(knows, [request, at]) {
    const { to, data } = request as { to: string; data: Hex };
    return call(stateBlock(knows, at), to, data);
  },
  eth_getBalance: (knows, [address, at]) =>
    toHex(accountOf(stateBlock(knows, at).state, String(address)).balance),
  eth_getStorageAt(knows, [address, slot, at]) {
    const account = accountOf(stateBlock(knows, at).state, String(address));
    return BigInt(String(slot)) === 0n ? pad(toHex(account.logs), { size: 32 }) : account.implementation;
  },
  eth_getCode: (_, [address]) =>
    [...contracts, multicall3].some((one) => one.toLowerCase() === String(address).toLowerCase())
      ? "0x6001"
      : "0x",
};

function getLogs(knows: Knowledge, [filter]: unknown[]): JsonLog[] {
  const { blockHash, fromBlock, toBlock } = filter as Record<string, unknown>;
  if (blockHash) {
    const block = blockByHash(knows, blockHash);
    if (!block) throw new JsonRpcError(-32000, "unknown block");
    return knows.logsOf(block);
  }
  const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), knows.tip.height)];
  const { rangeLimit } = knows;
  if (rangeLimit && Number(toBlock) - from + 1 > rangeLimit.blocks) {
    throw new JsonRpcError(rangeLimit.code, rangeLimit.text(from, Number(toBlock)));
  }
  const found: JsonLog[][] = [];
  for (let at = ancestorAt(knows.tip, to); at && at.height >= from; at = at.parent)
    found.push(knows.logsOf(at));
  return found.reverse().flat();
}

function blockByHash({ tree, tip }: Knowledge, hash: unknown): SimBlock | undefined {
  const block = tree.get(String(hash));
  return block && ancestorAt(tip, block.height) === block ? block : undefined;
}

function blockByTag({ tip }: Knowledge, tag: unknown): SimBlock | undefined {
  if (tag === "latest") return tip;
  if (tag === "safe") return ancestorAt(tip, Math.max(0, tip.height - 4));
  if (tag === "finalized") return ancestorAt(tip, Math.max(0, tip.height - 8));
  return ancestorAt(tip, Number(tag));
}

function stateBlock(knows: Knowledge, at: unknown): SimBlock {
  const isHash = typeof at === "object" && at !== null;
  if (isHash && !knows.takesHashes)
    throw new JsonRpcError(-32602, "invalid argument 1: cannot unmarshal object");
  const block = isHash
    ? blockByHash(knows, (at as { blockHash?: unknown }).blockHash)
    : blockByTag(knows, at ?? "latest");
  if (!block) throw new JsonRpcError(-32000, "header not found");
  return block;
}
