import { bridgeConfigChanged } from "./bridge-config-changed.ts";
import { bridgeNativeOutflow } from "./bridge-native-outflow.ts";
import { bridgeOutflowSpike } from "./bridge-outflow-spike.ts";
import { bridgeSilent } from "./bridge-silent.ts";
import { bridgeSingleVerifier } from "./bridge-single-verifier.ts";
import { bridgeSupplyJump } from "./bridge-supply-jump.ts";
import { bridgeUpgraded } from "./bridge-upgraded.ts";
import { dexFailedTx } from "./dex-failed-tx.ts";
import { dexLiquidityRemoved } from "./dex-liquidity-removed.ts";
import { dexPoolImbalance } from "./dex-pool-imbalance.ts";
import { dexPriceDrop } from "./dex-price-drop.ts";
import { dexPriceJump } from "./dex-price-jump.ts";
import { dexVolumeAnomaly } from "./dex-volume-anomaly.ts";
import { dexVolumeAnomalyV3 } from "./dex-volume-anomaly-v3.ts";
import { govOwnershipChange } from "./gov-ownership-change.ts";
import { govProposalCreated } from "./gov-proposal-created.ts";
import { govProposalExecuted } from "./gov-proposal-executed.ts";
import { govSafeThreshold } from "./gov-safe-threshold.ts";
import { govTimelockDelayCut } from "./gov-timelock-delay-cut.ts";
import { govTimelockQueued } from "./gov-timelock-queued.ts";
import { govUpgrade } from "./gov-upgrade.ts";
import { lendingBadDebt } from "./lending-bad-debt.ts";
import { lendingLargeBorrow } from "./lending-large-borrow.ts";
import { lendingLiquidationSpike } from "./lending-liquidation-spike.ts";
import { lendingPaused } from "./lending-paused.ts";
import { lendingTvlDrop } from "./lending-tvl-drop.ts";
import { lendingUtilizationHigh } from "./lending-utilization-high.ts";
import { lendingUtilizationMax } from "./lending-utilization-max.ts";
import { oracleAggregatorChanged } from "./oracle-aggregator-changed.ts";
import { oracleDepeg } from "./oracle-depeg.ts";
import { oracleDeviation } from "./oracle-deviation.ts";
import { oracleDeviationCritical } from "./oracle-deviation-critical.ts";
import { oraclePriceDrop } from "./oracle-price-drop.ts";
import { oraclePriceJump } from "./oracle-price-jump.ts";
import { oracleStale } from "./oracle-stale.ts";
import type { Category, Template } from "./template.ts";

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
];

export function templatesOf(category: Category): Template[] {
  return templates.filter((template) => template.category === category);
}
