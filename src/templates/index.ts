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
import { govSafeThreshold } from "./governance/gov-safe-threshold.ts";
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
import { oraclePriceDrop } from "./oracle/oracle-price-drop.ts";
import { oraclePriceJump } from "./oracle/oracle-price-jump.ts";
import { oracleStale } from "./oracle/oracle-stale.ts";
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
