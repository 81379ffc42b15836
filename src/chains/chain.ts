import type { Chain as ViemChain } from "viem/chains";

/** What is known of a chain before any node is asked. */
export type Chain = {
  /** The name by which the service speaks of the chain; `RPC_<KEY>` in the environment enables it. */
  chain: string;
  chain_id: number;
  name: string;
  kind: "evm" | "solana";
  native_currency: { name: string; symbol: string; decimals: number };
  /** Without a trailing slash; null where nobody runs an explorer. */
  explorer_url: string | null;
  block_time_ms: number;
  /** How many blocks deep a block counts as final when the node cannot say so itself. */
  finality_depth: number;
  is_testnet: boolean;
  /** The contract that batches reads; null where it is not known to be deployed. */
  multicall3: `0x${string}` | null;
};

type EvmDefinition = Pick<Chain, "chain" | "block_time_ms" | "finality_depth"> & {
  from: Pick<ViemChain, "id" | "name" | "nativeCurrency" | "blockExplorers" | "contracts" | "testnet">;
};

/** Describes an EVM chain with the facts viem keeps, so that none is typed twice. */
export function defineEvmChain({ from, ...own }: EvmDefinition): Chain {
  return {
    ...own,
    chain_id: from.id,
    name: from.name,
    kind: "evm",
    native_currency: from.nativeCurrency,
    explorer_url: from.blockExplorers?.default.url.replace(/\/+$/, "") ?? null,
    is_testnet: from.testnet ?? false,
    multicall3: from.contracts?.multicall3?.address ?? null,
  };
}
