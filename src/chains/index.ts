import type { Chain } from "./chain.ts";
import { abstract } from "./definitions/abstract.ts";
import { arbitrum } from "./definitions/arbitrum.ts";
import { arbitrumSepolia } from "./definitions/arbitrum-sepolia.ts";
import { avalanche } from "./definitions/avalanche.ts";
import { base } from "./definitions/base.ts";
import { baseSepolia } from "./definitions/base-sepolia.ts";
import { berachain } from "./definitions/berachain.ts";
import { blast } from "./definitions/blast.ts";
import { bsc } from "./definitions/bsc.ts";
import { celo } from "./definitions/celo.ts";
import { ethereum } from "./definitions/ethereum.ts";
import { fraxtal } from "./definitions/fraxtal.ts";
import { gnosis } from "./definitions/gnosis.ts";
import { ink } from "./definitions/ink.ts";
import { linea } from "./definitions/linea.ts";
import { local } from "./definitions/local.ts";
import { mantle } from "./definitions/mantle.ts";
import { metis } from "./definitions/metis.ts";
import { mode } from "./definitions/mode.ts";
import { monad } from "./definitions/monad.ts";
import { moonbeam } from "./definitions/moonbeam.ts";
import { optimism } from "./definitions/optimism.ts";
import { optimismSepolia } from "./definitions/optimism-sepolia.ts";
import { plasma } from "./definitions/plasma.ts";
import { polygon } from "./definitions/polygon.ts";
import { polygonAmoy } from "./definitions/polygon-amoy.ts";
import { ronin } from "./definitions/ronin.ts";
import { scroll } from "./definitions/scroll.ts";
import { sei } from "./definitions/sei.ts";
import { sepolia } from "./definitions/sepolia.ts";
import { solana } from "./definitions/solana.ts";
import { solanaDevnet } from "./definitions/solana-devnet.ts";
import { soneium } from "./definitions/soneium.ts";
import { sonic } from "./definitions/sonic.ts";
import { taiko } from "./definitions/taiko.ts";
import { unichain } from "./definitions/unichain.ts";
import { worldChain } from "./definitions/world-chain.ts";
import { zksync } from "./definitions/zksync.ts";
import { zora } from "./definitions/zora.ts";

/** Every chain the service knows: production first, then test networks, then the machine at hand. */
export const chains: readonly Chain[] = [
  ethereum,
  base,
  arbitrum,
  optimism,
  polygon,
  bsc,
  avalanche,
  gnosis,
  linea,
  scroll,
  zksync,
  blast,
  mantle,
  celo,
  sonic,
  moonbeam,
  metis,
  mode,
  zora,
  worldChain,
  unichain,
  berachain,
  ink,
  soneium,
  abstract,
  fraxtal,
  taiko,
  monad,
  plasma,
  sei,
  ronin,
  solana,
  sepolia,
  baseSepolia,
  arbitrumSepolia,
  optimismSepolia,
  polygonAmoy,
  solanaDevnet,
  local,
];

const byKey = new Map(chains.map((chain) => [chain.chain, chain]));
const byId = new Map(chains.map((chain) => [chain.chain_id, chain]));

/** The chain with this key; keys arrive from outside, so an unknown one is an ordinary answer. */
export function chainOf(key: string): Chain | undefined {
  return byKey.get(key);
}

export function chainById(id: number): Chain | undefined {
  return byId.get(id);
}
