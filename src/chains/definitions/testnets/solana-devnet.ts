import type { Chain } from "../../chain.ts";
import { solana } from "../layer-1/solana.ts";

export const solanaDevnet: Chain = {
  ...solana,
  chain: "solana_devnet",
  chain_id: 1399811150,
  name: "Solana Devnet",
  explorer_url: "https://explorer.solana.com/?cluster=devnet",
  is_testnet: true,
};
