import { bridgeConfigChanged } from "./bridge/bridge-config-changed.ts";
import { bridgeNativeOutflow } from "./bridge/bridge-native-outflow.ts";
import { bridgeOutflowSpike } from "./bridge/bridge-outflow-spike.ts";
import { bridgeSilent } from "./bridge/bridge-silent.ts";
import { bridgeSingleVerifier } from "./bridge/bridge-single-verifier.ts";
import { bridgeSupplyJump } from "./bridge/bridge-supply-jump.ts";
import { bridgeUpgraded } from "./bridge/bridge-upgraded.ts";
import { dexFailedTx } from "./dex/dex-failed-tx.ts";
import { dexLiquidityRemoved } from "./dex/dex-liquidity-removed.ts";
import { dexPoolImbalance } from "./dex/dex-pool-imbalance.ts";
import { dexPriceDrop } from "./dex/dex-price-drop.ts";
import { dexPriceJump } from "./dex/dex-price-jump.ts";
import { dexVolumeAnomaly } from "./dex/dex-volume-anomaly.ts";
import { dexVolumeAnomalyV3 } from "./dex/dex-volume-anomaly-v3.ts";
import { govOwnershipChange } from "./governance/gov-ownership-change.ts";
import { govProposalCreated } from "./governance/gov-proposal-created.ts";
import { govProposalExecuted } from "./governance/gov-proposal-executed.ts";
import { govRareEvent } from "./governance/gov-rare-event.ts";
import { govSafeThreshold } from "./governance/gov-safe-threshold.ts";
import { govSettingChanged } from "./governance/gov-setting-changed.ts";
import { govTimelockDelayCut } from "./governance/gov-timelock-delay-cut.ts";
import { govTimelockQueued } from "./governance/gov-timelock-queued.ts";
import { govUpgrade } from "./governance/gov-upgrade.ts";
import { lendingBadDebt } from "./lending/lending-bad-debt.ts";
import { lendingLargeBorrow } from "./lending/lending-large-borrow.ts";
import { lendingLiquidationSpike } from "./lending/lending-liquidation-spike.ts";
import { lendingPaused } from "./lending/lending-paused.ts";
import { lendingTvlDrop } from "./lending/lending-tvl-drop.ts";
import { lendingUtilizationHigh } from "./lending/lending-utilization-high.ts";
import { lendingUtilizationMax } from "./lending/lending-utilization-max.ts";
import { oracleAggregatorChanged } from "./oracle/oracle-aggregator-changed.ts";
import { oracleDepeg } from "./oracle/oracle-depeg.ts";
import { oracleDeviation } from "./oracle/oracle-deviation.ts";
import { oracleDeviationCritical } from "./oracle/oracle-deviation-critical.ts";
import { oracleInvalidPrice } from "./oracle/oracle-invalid-price.ts";
import { oraclePriceDrop } from "./oracle/oracle-price-drop.ts";
import { oraclePriceJump } from "./oracle/oracle-price-jump.ts";
import { oracleStale } from "./oracle/oracle-stale.ts";
import { safeExecutionFailed } from "./safe/safe-execution-failed.ts";
import { solanaAuthorityTaken } from "./solana/solana-authority-taken.ts";
import { solanaDelegateGranted } from "./solana/solana-delegate-granted.ts";
import { solanaMultisigChanged } from "./solana/solana-multisig-changed.ts";
import { solanaProgramUpgraded } from "./solana/solana-program-upgraded.ts";
import type { Category, Template } from "./template.ts";
import { tokenManyApprovals } from "./token/token-many-approvals.ts";
import { tokenManyTransfers } from "./token/token-many-transfers.ts";
import { tokenSupplyDrop } from "./token/token-supply-drop.ts";
import { tokenSupplyJump } from "./token/token-supply-jump.ts";
import { assetDownInADay } from "./vault/asset-down-in-a-day.ts";
import { assetDrained } from "./vault/asset-drained.ts";
import { nativeDownInADay } from "./vault/native-down-in-a-day.ts";
import { nativeDrained } from "./vault/native-drained.ts";
import { vaultSharePriceDrop } from "./vault/vault-share-price-drop.ts";
import { vaultSharePriceJump } from "./vault/vault-share-price-jump.ts";
import { walletBalanceLow } from "./wallet/wallet-balance-low.ts";
import { walletSilent } from "./wallet/wallet-silent.ts";

/** Every template, by category. */
export const templates: readonly Template[] = [
  lendingUtilizationHigh,
  lendingUtilizationMax,
  lendingBadDebt,
  lendingLiquidationSpike,
  lendingLargeBorrow,
  lendingTvlDrop,
  lendingPaused,
  dexPoolImbalance,
  dexLiquidityRemoved,
  dexVolumeAnomaly,
  dexVolumeAnomalyV3,
  dexPriceJump,
  dexPriceDrop,
  dexFailedTx,
  bridgeOutflowSpike,
  bridgeNativeOutflow,
  bridgeSupplyJump,
  bridgeSingleVerifier,
  bridgeConfigChanged,
  bridgeSilent,
  bridgeUpgraded,
  oracleStale,
  oracleDeviation,
  oracleDeviationCritical,
  oraclePriceJump,
  oraclePriceDrop,
  oracleDepeg,
  oracleAggregatorChanged,
  govOwnershipChange,
  govUpgrade,
  govProposalCreated,
  govProposalExecuted,
  govTimelockQueued,
  govTimelockDelayCut,
  govSafeThreshold,
  govSettingChanged,
  govRareEvent,
  assetDrained,
  assetDownInADay,
  nativeDrained,
  nativeDownInADay,
  vaultSharePriceDrop,
  vaultSharePriceJump,
  tokenSupplyJump,
  tokenSupplyDrop,
  tokenManyApprovals,
  tokenManyTransfers,
  safeExecutionFailed,
  walletSilent,
  walletBalanceLow,
  oracleInvalidPrice,
  solanaProgramUpgraded,
  solanaAuthorityTaken,
  solanaMultisigChanged,
  solanaDelegateGranted,
];

/** The templates that a category lists. */
export function templatesOf(category: Category): Template[] {
  return templates.filter(
    (template) => template.category === category || template.alsoIn?.includes(category),
  );
}
