import type { Chain } from "./chain.ts";
import { avalanche } from "./definitions/layer-1/avalanche.ts";
import { berachain } from "./definitions/layer-1/berachain.ts";
import { bsc } from "./definitions/layer-1/bsc.ts";
import { celo } from "./definitions/layer-1/celo.ts";
import { ethereum } from "./definitions/layer-1/ethereum.ts";
import { gnosis } from "./definitions/layer-1/gnosis.ts";
import { monad } from "./definitions/layer-1/monad.ts";
import { moonbeam } from "./definitions/layer-1/moonbeam.ts";
import { plasma } from "./definitions/layer-1/plasma.ts";
import { polygon } from "./definitions/layer-1/polygon.ts";
import { ronin } from "./definitions/layer-1/ronin.ts";
import { sei } from "./definitions/layer-1/sei.ts";
import { solana } from "./definitions/layer-1/solana.ts";
import { sonic } from "./definitions/layer-1/sonic.ts";
import { abstract } from "./definitions/layer-2/abstract.ts";
import { arbitrum } from "./definitions/layer-2/arbitrum.ts";
import { base } from "./definitions/layer-2/base.ts";
import { blast } from "./definitions/layer-2/blast.ts";
import { fraxtal } from "./definitions/layer-2/fraxtal.ts";
import { ink } from "./definitions/layer-2/ink.ts";
import { linea } from "./definitions/layer-2/linea.ts";
import { mantle } from "./definitions/layer-2/mantle.ts";
import { metis } from "./definitions/layer-2/metis.ts";
import { mode } from "./definitions/layer-2/mode.ts";
import { optimism } from "./definitions/layer-2/optimism.ts";
import { scroll } from "./definitions/layer-2/scroll.ts";
import { soneium } from "./definitions/layer-2/soneium.ts";
import { taiko } from "./definitions/layer-2/taiko.ts";
import { unichain } from "./definitions/layer-2/unichain.ts";
import { worldChain } from "./definitions/layer-2/world-chain.ts";
import { zksync } from "./definitions/layer-2/zksync.ts";
import { zora } from "./definitions/layer-2/zora.ts";
import { arbitrumSepolia } from "./definitions/testnets/arbitrum-sepolia.ts";
import { baseSepolia } from "./definitions/testnets/base-sepolia.ts";
import { demo } from "./definitions/testnets/demo.ts";
import { local } from "./definitions/testnets/local.ts";
import { optimismSepolia } from "./definitions/testnets/optimism-sepolia.ts";
import { polygonAmoy } from "./definitions/testnets/polygon-amoy.ts";
import { sepolia } from "./definitions/testnets/sepolia.ts";
import { solanaDevnet } from "./definitions/testnets/solana-devnet.ts";

/** All supported chains: production networks, then test networks, a local node and the demo. */
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
  demo,
];

const byKey = new Map(chains.map((chain) => [chain.chain, chain]));
const byId = new Map(chains.map((chain) => [chain.chain_id, chain]));

/** Returns the chain with a key; undefined for an unknown key, as keys come from requests. */
export function chainOf(key: string): Chain | undefined {
  return byKey.get(key);
}

export function chainById(id: number): Chain | undefined {
  return byId.get(id);
}
