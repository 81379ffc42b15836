import type { Chain as ViemChain } from "viem/chains";

/** The static properties of a chain. */
export type Chain = {
  /** The key of the chain in the API; the environment variable `RPC_<KEY>` enables it. */
  chain: string;
  chain_id: number;
  name: string;
  kind: "evm" | "solana";
  native_currency: { name: string; symbol: string; decimals: number };
  /** Without a trailing slash; null where the chain has no explorer. */
  explorer_url: string | null;
  block_time_ms: number;
  /** The depth at which a block counts as final when the node does not report finality. */
  finality_depth: number;
  is_testnet: boolean;
  /** The address of Multicall3; null where it is not known to be deployed. */
  multicall3: `0x${string}` | null;
  /** How blocks of the chain differ from those of Ethereum. */
  quirks: readonly ChainQuirk[];
  /** True if the chain makes blocks even when nobody uses it, so that a head that stands still is a fault of the chain. */
  alwaysProducesBlocks: boolean;
};

export type ChainQuirk =
  /** Headers have no bloom filter. */
  | "no_bloom"
  /** System transactions emit logs that are not in the bloom filter. */
  | "logs_beyond_bloom"
  /** Nodes skip log indexes. */
  | "log_index_gaps"
  /** Fees are logs of a token, which a failed transaction emits too. */
  | "logs_of_failed_transactions"
  /** A block may use gas while its transactions are not of the EVM. */
  | "gas_without_transactions"
  /** Logs and receipts of system transactions that blocks do not list. */
  | "unlisted_transactions";

type EvmDefinition = Pick<Chain, "chain" | "block_time_ms" | "finality_depth"> & {
  quirks?: Chain["quirks"];
  /** True unless given. */
  alwaysProducesBlocks?: boolean;
  from: Pick<ViemChain, "id" | "name" | "nativeCurrency" | "blockExplorers" | "contracts" | "testnet">;
};

/** Defines an EVM chain from its viem definition. */
export function defineEvmChain({
  from,
  quirks = [],
  alwaysProducesBlocks = true,
  ...own
}: EvmDefinition): Chain {
  return {
    ...own,
    quirks,
    alwaysProducesBlocks,
    chain_id: from.id,
    name: from.name,
    kind: "evm",
    native_currency: from.nativeCurrency,
    explorer_url: from.blockExplorers?.default.url.replace(/\/+$/, "") ?? null,
    is_testnet: from.testnet ?? false,
    multicall3: from.contracts?.multicall3?.address ?? null,
  };
}
