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
};

type EvmDefinition = Pick<Chain, "chain" | "block_time_ms" | "finality_depth"> & {
  from: Pick<ViemChain, "id" | "name" | "nativeCurrency" | "blockExplorers" | "contracts" | "testnet">;
};

/** Defines an EVM chain from its viem definition. */
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
