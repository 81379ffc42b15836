import type { Hex } from "viem";
import { JsonRpcError } from "./call.ts";
import type { Faults } from "./faults.ts";
import { jsonLogs } from "./json.ts";
import { withOneMore, withoutOne, withWrongHash } from "./lies.ts";
import { type ChainView, methods } from "./methods.ts";
import type { SeededRandom } from "./random.ts";
import type { SimBlock, Tree } from "./tree.ts";

export type Request = { id: unknown; method: string; params: unknown[] };

/** The state and the faults with which a node replies. */
export type NodeContext = {
  tree: Tree;
  tip: SimBlock;
  faults: Faults;
  without: ReadonlyMap<string, number>;
  acceptsHashes: boolean;
  chainId: number;
  rangeLimit?: ChainView["rangeLimit"];
  rejectsTrace?: ChainView["rejectsTrace"];
};

/** Replies to one call of a batch, with random faults. */
export function replyTo({ id, method, params }: Request, node: NodeContext, random: SeededRandom): object {
  try {
    return { jsonrpc: "2.0", id, result: resultOf(method, params, node, random) };
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  }
}

function resultOf(method: string, params: unknown[], node: NodeContext, random: SeededRandom): unknown {
  const { faults, without } = node;
  const code = without.get(method);
  if (code !== undefined)
    throw new JsonRpcError(code, `the method ${method} does not exist/is not available`);
  if (random.chance(faults.limit_error))
    throw new JsonRpcError(-32005, "daily request count exceeded, request rate limited");
  if (random.chance(faults.internal_error)) throw new JsonRpcError(-32603, "internal error");
  if (random.chance(faults.blames_request)) throw new JsonRpcError(-32600, "Must be authenticated!");
  if (method.startsWith("eth_getBlock") && random.chance(faults.null_block)) return null;
  const handler = methods[method];
  if (!handler) throw new JsonRpcError(-32601, "the method does not exist/is not available");
  const result = handler(viewOf(node, random), params);
  if (method === "debug_traceBlockByHash") return corruptTraces(result as object[], faults, random);
  const hash = hashIn(result);
  return hash && random.chance(faults.wrong_hash) ? withWrongHash(result, hash, random) : result;
}

function corruptTraces(traces: object[], faults: Faults, random: SeededRandom): object[] | null {
  if (random.chance(faults.null_traces)) return null;
  if (random.chance(faults.fewer_traces)) return traces.slice(1);
  if (!random.chance(faults.other_traces)) return traces;
  return traces.map(() => ({ txHash: random.word(), result: {} }));
}

function viewOf(
  { tree, tip, faults, acceptsHashes, rangeLimit, rejectsTrace, chainId }: NodeContext,
  random: SeededRandom,
): ChainView {
  const isEmpty = random.chance(faults.empty_logs);
  const isLess = random.chance(faults.missing_log);
  const isMore = random.chance(faults.extra_log);
  const logsOf = (block: SimBlock, isFiltered = false) => {
    if (isEmpty) return [];
    if (isLess) return withoutOne(block, random, isFiltered);
    return isMore ? withOneMore(block, random) : jsonLogs(block);
  };
  return { tree, tip, logsOf, acceptsHashes, rangeLimit, rejectsTrace, chainId };
}

/** The hash of the block that a result refers to, if any. */
function hashIn(result: unknown): Hex | undefined {
  const first: unknown = Array.isArray(result) ? result[0] : result;
  if (typeof first !== "object" || first === null) return undefined;
  const { blockHash, hash } = first as { blockHash?: Hex; hash?: Hex };
  return blockHash ?? hash;
}
