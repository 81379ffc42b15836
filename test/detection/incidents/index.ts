import type { Incident } from "../scene.ts";
import { bridgeForged } from "./bridges/bridge-forged.ts";
import { gatewayWithoutWeight } from "./bridges/gateway-without-weight.ts";
import { omnichainPeerForged } from "./bridges/omnichain-peer-forged.ts";
import { ownBridgeUnlocked } from "./bridges/own-bridge-unlocked.ts";
import { portalMessageForged } from "./bridges/portal-message-forged.ts";
import { zeroRootProven } from "./bridges/zero-root-proven.ts";
import { bravoCaptured } from "./control/bravo-captured.ts";
import { chiefReplaced } from "./control/chief-replaced.ts";
import { diamondCut } from "./control/diamond-cut.ts";
import { governanceReopened } from "./control/governance-reopened.ts";
import { governorCaptured } from "./control/governor-captured.ts";
import { ownVoteExecuted } from "./control/own-vote-executed.ts";
import { proposalPassed } from "./control/proposal-passed.ts";
import { proxyHiddenUpgrade } from "./control/proxy-hidden-upgrade.ts";
import { sharedCodeReplaced } from "./control/shared-code-replaced.ts";
import { siloCommitted } from "./control/silo-committed.ts";
import { adapterManipulated } from "./feeds/adapter-manipulated.ts";
import { decimalsMistaken } from "./feeds/decimals-mistaken.ts";
import { feedDepegged } from "./feeds/feed-depegged.ts";
import { feedInvalid } from "./feeds/feed-invalid.ts";
import { feedStale } from "./feeds/feed-stale.ts";
import { feedStuck } from "./feeds/feed-stuck.ts";
import { pushedFeedWrong } from "./feeds/pushed-feed-wrong.ts";
import { aaveMarketLooted } from "./markets/aave-market-looted.ts";
import { cometBadDebt } from "./markets/comet-bad-debt.ts";
import { compoundV2Donation } from "./markets/compound-v2-donation.ts";
import { forwardedPriceSet } from "./markets/forwarded-price-set.ts";
import { keeperStopped } from "./markets/keeper-stopped.ts";
import { lendingPairDonated } from "./markets/lending-pair-donated.ts";
import { ownMarketMispriced } from "./markets/own-market-mispriced.ts";
import { providerTakenOver } from "./markets/provider-taken-over.ts";
import { sharePriceInflated } from "./markets/share-price-inflated.ts";
import { worthlessCollateralListed } from "./markets/worthless-collateral-listed.ts";
import { cryptoPoolDrained } from "./pools/crypto-pool-drained.ts";
import { earlyPoolChanged } from "./pools/early-pool-changed.ts";
import { feeTokenSwapped } from "./pools/fee-token-swapped.ts";
import { poolRoundingExploited } from "./pools/pool-rounding-exploited.ts";
import { stablePoolDumped } from "./pools/stable-pool-dumped.ts";
import { stablePoolReentered } from "./pools/stable-pool-reentered.ts";
import { v2PairBurned } from "./pools/v2-pair-burned.ts";
import { v3PoolExploited } from "./pools/v3-pool-exploited.ts";
import { v4HookExploited } from "./pools/v4-hook-exploited.ts";
import { approvalsPhished } from "./tokens/approvals-phished.ts";
import { artworksTaken } from "./tokens/artworks-taken.ts";
import { chamberOperationsAbused } from "./tokens/chamber-operations-abused.ts";
import { collectiblesCollected } from "./tokens/collectibles-collected.ts";
import { collectiblesPhished } from "./tokens/collectibles-phished.ts";
import { earlyDollarAbused } from "./tokens/early-dollar-abused.ts";
import { gatewayRouteAbused } from "./tokens/gateway-route-abused.ts";
import { minterAdded } from "./tokens/minter-added.ts";
import { stablecoinHalted } from "./tokens/stablecoin-halted.ts";
import { stakedCoinUpgraded } from "./tokens/staked-coin-upgraded.ts";
import { taxedTokenAbandoned } from "./tokens/taxed-token-abandoned.ts";
import { cloneEmptied } from "./vaults/clone-emptied.ts";
import { farmMigrated } from "./vaults/farm-migrated.ts";
import { firstDepositInflated } from "./vaults/first-deposit-inflated.ts";
import { harvestReentered } from "./vaults/harvest-reentered.ts";
import { lockerMigrated } from "./vaults/locker-migrated.ts";
import { modelInitialised } from "./vaults/model-initialised.ts";
import { operatorGuessed } from "./vaults/operator-guessed.ts";
import { ownVaultTakenOver } from "./vaults/own-vault-taken-over.ts";
import { rewardsInflated } from "./vaults/rewards-inflated.ts";
import { shareVaultDrained } from "./vaults/share-vault-drained.ts";
import { stakingInitialisedAgain } from "./vaults/staking-initialised-again.ts";
import { stakingRateWrong } from "./vaults/staking-rate-wrong.ts";
import { tradingVaultDrained } from "./vaults/trading-vault-drained.ts";
import { validatorPoolRedirected } from "./vaults/validator-pool-redirected.ts";
import { yearnVaultExploited } from "./vaults/yearn-vault-exploited.ts";
import { companyWalletEmptied } from "./wallets/company-wallet-emptied.ts";
import { earlyWalletInitialised } from "./wallets/early-wallet-initialised.ts";
import { hotWalletEmptied } from "./wallets/hot-wallet-emptied.ts";
import { safeModuleEnabled } from "./wallets/safe-module-enabled.ts";
import { safeSingletonReplaced } from "./wallets/safe-singleton-replaced.ts";
import { treasuryAllowanceUsed } from "./wallets/treasury-allowance-used.ts";
import { walletBled } from "./wallets/wallet-bled.ts";

/** Every incident that is replayed. */
export const incidents: readonly Incident[] = [
  aaveMarketLooted,
  adapterManipulated,
  approvalsPhished,
  artworksTaken,
  bravoCaptured,
  bridgeForged,
  cloneEmptied,
  collectiblesCollected,
  collectiblesPhished,
  cometBadDebt,
  companyWalletEmptied,
  compoundV2Donation,
  cryptoPoolDrained,
  diamondCut,
  earlyDollarAbused,
  earlyPoolChanged,
  farmMigrated,
  feedDepegged,
  feedInvalid,
  feedStale,
  feedStuck,
  firstDepositInflated,
  gatewayRouteAbused,
  governorCaptured,
  hotWalletEmptied,
  keeperStopped,
  minterAdded,
  omnichainPeerForged,
  ownBridgeUnlocked,
  ownMarketMispriced,
  ownVaultTakenOver,
  ownVoteExecuted,
  poolRoundingExploited,
  portalMessageForged,
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
  stakingInitialisedAgain,
  stakingRateWrong,
  taxedTokenAbandoned,
  tradingVaultDrained,
  treasuryAllowanceUsed,
  v2PairBurned,
  v3PoolExploited,
  v4HookExploited,
  validatorPoolRedirected,
  walletBled,
  yearnVaultExploited,
  zeroRootProven,
  chiefReplaced,
  forwardedPriceSet,
  providerTakenOver,
  worthlessCollateralListed,
  stablePoolDumped,
  stakedCoinUpgraded,
  lockerMigrated,
  rewardsInflated,
  earlyWalletInitialised,
  gatewayWithoutWeight,
  governanceReopened,
  siloCommitted,
  decimalsMistaken,
  lendingPairDonated,
  feeTokenSwapped,
  chamberOperationsAbused,
  harvestReentered,
  modelInitialised,
  operatorGuessed,
];
