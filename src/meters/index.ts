import { activityRhythm } from "./activity/activity-rhythm.ts";
import { eventFrequency } from "./activity/event-frequency.ts";
import { eventValue } from "./activity/event-value.ts";
import { functionCallRate } from "./activity/function-call-rate.ts";
import { gasUsage } from "./activity/gas-usage.ts";
import { inactivity } from "./activity/inactivity.ts";
import { largeTransfer } from "./activity/large-transfer.ts";
import { revertRate } from "./activity/revert-rate.ts";
import { txRate } from "./activity/tx-rate.ts";
import { uniqueCallers } from "./activity/unique-callers.ts";
import { anomalyDetection } from "./anomaly/anomaly-detection.ts";
import { nativeBalance } from "./balances/native-balance.ts";
import { tokenBalance } from "./balances/token-balance.ts";
import { tokenSupply } from "./balances/token-supply.ts";
import { tvl } from "./balances/tvl.ts";
import { bridgeConfig } from "./bridge/bridge-config.ts";
import { configurationChange } from "./control/configuration-change.ts";
import { governanceProposal } from "./control/governance-proposal.ts";
import { ownershipChange } from "./control/ownership-change.ts";
import { proxyImplementation } from "./control/proxy-implementation.ts";
import { rareEvent } from "./control/rare-event.ts";
import { timelockDelay } from "./control/timelock-delay.ts";
import type { Meter } from "./meter.ts";
import { oracleDeviation } from "./oracle/oracle-deviation.ts";
import { oraclePrice } from "./oracle/oracle-price.ts";
import { oracleStaleness } from "./oracle/oracle-staleness.ts";
import { accountField } from "./solana/account-field.ts";
import { solanaAuthorityChange } from "./solana/solana-authority-change.ts";
import { solanaDelegation } from "./solana/solana-delegation.ts";
import { solanaEvent } from "./solana/solana-event.ts";
import { solanaInstruction } from "./solana/solana-instruction.ts";
import { solanaPriorityFee } from "./solana/solana-priority-fee.ts";
import { solanaProgramUpgrade } from "./solana/solana-program-upgrade.ts";
import { pauseState } from "./state/pause-state.ts";
import { poolImbalance } from "./state/pool-imbalance.ts";
import { poolPrice } from "./state/pool-price.ts";
import { storageSlot } from "./state/storage-slot.ts";
import { utilization } from "./state/utilization.ts";
import { viewFunction } from "./state/view-function.ts";

/** Every meter. The cast drops the config types: a meter only receives configs that its own schema parsed. */
export const meters: readonly Meter[] = [
  txRate,
  revertRate,
  uniqueCallers,
  eventFrequency,
  eventValue,
  functionCallRate,
  inactivity,
  activityRhythm,
  nativeBalance,
  tokenBalance,
  tokenSupply,
  largeTransfer,
  gasUsage,
  viewFunction,
  storageSlot,
  proxyImplementation,
  ownershipChange,
  configurationChange,
  rareEvent,
  pauseState,
  oraclePrice,
  oracleDeviation,
  oracleStaleness,
  tvl,
  utilization,
  poolImbalance,
  poolPrice,
  bridgeConfig,
  governanceProposal,
  timelockDelay,
  anomalyDetection,
  solanaInstruction,
  solanaEvent,
  solanaProgramUpgrade,
  solanaAuthorityChange,
  solanaDelegation,
  solanaPriorityFee,
  accountField,
].map((meter) => meter as unknown as Meter);

const byType = new Map(meters.map((meter) => [meter.type, meter]));

export function meterOf(target_type: string): Meter | undefined {
  return byType.get(target_type);
}
