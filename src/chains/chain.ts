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
  | "unlisted_transactions"
  /** The hash of a block is not that of the header that nodes return. */
  | "own_header_hash";

type EvmDefinition = Pick<
  Chain,
  "chain" | "chain_id" | "name" | "explorer_url" | "block_time_ms" | "finality_depth"
> &
  Partial<Pick<Chain, "is_testnet" | "multicall3" | "quirks" | "alwaysProducesBlocks">> & {
    /** Ether unless given. */
    currency?: { name: string; symbol: string };
  };

/** Multicall3 has the same address on nearly every chain. */
const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

/**
 * Defines an EVM chain. The facts are written here and compared with viem's in a test, because loading viem's definitions of
 * all chains takes longer than loading this service.
 */
export function defineEvmChain({
  currency = { name: "Ether", symbol: "ETH" },
  ...definition
}: EvmDefinition): Chain {
  return {
    kind: "evm",
    native_currency: { ...currency, decimals: 18 },
    is_testnet: false,
    multicall3,
    quirks: [],
    alwaysProducesBlocks: true,
    ...definition,
  };
}
