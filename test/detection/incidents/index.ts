import type { Incident } from "../scene.ts";
import { aaveMarketLooted } from "./aave-market-looted.ts";
import { approvalsPhished } from "./approvals-phished.ts";
import { bridgeForged } from "./bridge-forged.ts";
import { cloneEmptied } from "./clone-emptied.ts";
import { collectiblesPhished } from "./collectibles-phished.ts";
import { cometBadDebt } from "./comet-bad-debt.ts";
import { compoundV2Donation } from "./compound-v2-donation.ts";
import { cryptoPoolDrained } from "./crypto-pool-drained.ts";
import { diamondCut } from "./diamond-cut.ts";
import { feedDepegged } from "./feed-depegged.ts";
import { feedInvalid } from "./feed-invalid.ts";
import { feedStale } from "./feed-stale.ts";
import { governorCaptured } from "./governor-captured.ts";
import { hotWalletEmptied } from "./hot-wallet-emptied.ts";
import { keeperStopped } from "./keeper-stopped.ts";
import { minterAdded } from "./minter-added.ts";
import { omnichainPeerForged } from "./omnichain-peer-forged.ts";
import { proposalPassed } from "./proposal-passed.ts";
import { proxyHiddenUpgrade } from "./proxy-hidden-upgrade.ts";
import { safeModuleEnabled } from "./safe-module-enabled.ts";
import { safeSingletonReplaced } from "./safe-singleton-replaced.ts";
import { sharePriceInflated } from "./share-price-inflated.ts";
import { shareVaultDrained } from "./share-vault-drained.ts";
import { stablePoolReentered } from "./stable-pool-reentered.ts";
import { stablecoinHalted } from "./stablecoin-halted.ts";
import { stakingRateWrong } from "./staking-rate-wrong.ts";
import { tradingVaultDrained } from "./trading-vault-drained.ts";
import { v2PairBurned } from "./v2-pair-burned.ts";
import { v3PoolExploited } from "./v3-pool-exploited.ts";
import { v4HookExploited } from "./v4-hook-exploited.ts";
import { yearnVaultExploited } from "./yearn-vault-exploited.ts";

/** Every incident that is replayed. */
export const incidents: readonly Incident[] = [
  aaveMarketLooted,
  approvalsPhished,
  bridgeForged,
  cloneEmptied,
  collectiblesPhished,
  cometBadDebt,
  compoundV2Donation,
  cryptoPoolDrained,
  diamondCut,
  feedDepegged,
  feedInvalid,
  feedStale,
  governorCaptured,
  hotWalletEmptied,
  keeperStopped,
  minterAdded,
  omnichainPeerForged,
  proposalPassed,
  proxyHiddenUpgrade,
  safeModuleEnabled,
  safeSingletonReplaced,
  sharePriceInflated,
  shareVaultDrained,
  stablePoolReentered,
  stablecoinHalted,
  stakingRateWrong,
  tradingVaultDrained,
  v2PairBurned,
  v3PoolExploited,
  v4HookExploited,
  yearnVaultExploited,
];
