import type { Incident } from "../scene.ts";
import { aaveMarketLooted } from "./aave-market-looted.ts";
import { approvalsPhished } from "./approvals-phished.ts";
import { artworksTaken } from "./artworks-taken.ts";
import { bravoCaptured } from "./bravo-captured.ts";
import { bridgeForged } from "./bridge-forged.ts";
import { cloneEmptied } from "./clone-emptied.ts";
import { collectiblesPhished } from "./collectibles-phished.ts";
import { cometBadDebt } from "./comet-bad-debt.ts";
import { companyWalletEmptied } from "./company-wallet-emptied.ts";
import { compoundV2Donation } from "./compound-v2-donation.ts";
import { cryptoPoolDrained } from "./crypto-pool-drained.ts";
import { diamondCut } from "./diamond-cut.ts";
import { earlyPoolChanged } from "./early-pool-changed.ts";
import { feedDepegged } from "./feed-depegged.ts";
import { feedInvalid } from "./feed-invalid.ts";
import { feedStale } from "./feed-stale.ts";
import { governorCaptured } from "./governor-captured.ts";
import { hotWalletEmptied } from "./hot-wallet-emptied.ts";
import { keeperStopped } from "./keeper-stopped.ts";
import { minterAdded } from "./minter-added.ts";
import { omnichainPeerForged } from "./omnichain-peer-forged.ts";
import { ownBridgeUnlocked } from "./own-bridge-unlocked.ts";
import { ownMarketMispriced } from "./own-market-mispriced.ts";
import { ownVaultTakenOver } from "./own-vault-taken-over.ts";
import { proposalPassed } from "./proposal-passed.ts";
import { proxyHiddenUpgrade } from "./proxy-hidden-upgrade.ts";
import { pushedFeedWrong } from "./pushed-feed-wrong.ts";
import { safeModuleEnabled } from "./safe-module-enabled.ts";
import { safeSingletonReplaced } from "./safe-singleton-replaced.ts";
import { sharePriceInflated } from "./share-price-inflated.ts";
import { shareVaultDrained } from "./share-vault-drained.ts";
import { sharedCodeReplaced } from "./shared-code-replaced.ts";
import { stablePoolReentered } from "./stable-pool-reentered.ts";
import { stablecoinHalted } from "./stablecoin-halted.ts";
import { stakingRateWrong } from "./staking-rate-wrong.ts";
import { taxedTokenAbandoned } from "./taxed-token-abandoned.ts";
import { tradingVaultDrained } from "./trading-vault-drained.ts";
import { treasuryAllowanceUsed } from "./treasury-allowance-used.ts";
import { v2PairBurned } from "./v2-pair-burned.ts";
import { v3PoolExploited } from "./v3-pool-exploited.ts";
import { v4HookExploited } from "./v4-hook-exploited.ts";
import { yearnVaultExploited } from "./yearn-vault-exploited.ts";

/** Every incident that is replayed. */
export const incidents: readonly Incident[] = [
  aaveMarketLooted,
  approvalsPhished,
  artworksTaken,
  bravoCaptured,
  bridgeForged,
  cloneEmptied,
  collectiblesPhished,
  cometBadDebt,
  companyWalletEmptied,
  compoundV2Donation,
  cryptoPoolDrained,
  diamondCut,
  earlyPoolChanged,
  feedDepegged,
  feedInvalid,
  feedStale,
  governorCaptured,
  hotWalletEmptied,
  keeperStopped,
  minterAdded,
  omnichainPeerForged,
  ownBridgeUnlocked,
  ownMarketMispriced,
  ownVaultTakenOver,
  proposalPassed,
  proxyHiddenUpgrade,
  pushedFeedWrong,
  safeModuleEnabled,
  safeSingletonReplaced,
  sharePriceInflated,
  shareVaultDrained,
  sharedCodeReplaced,
  stablePoolReentered,
  stablecoinHalted,
  stakingRateWrong,
  taxedTokenAbandoned,
  tradingVaultDrained,
  treasuryAllowanceUsed,
  v2PairBurned,
  v3PoolExploited,
  v4HookExploited,
  yearnVaultExploited,
];
