import { anomalyDetection } from "./anomaly-detection.ts";
import { bridgeConfig } from "./bridge-config.ts";
import { eventFrequency } from "./event-frequency.ts";
import { eventValue } from "./event-value.ts";
import { functionCallRate } from "./function-call-rate.ts";
import { gasUsage } from "./gas-usage.ts";
import { governanceProposal } from "./governance-proposal.ts";
import { inactivity } from "./inactivity.ts";
import { largeTransfer } from "./large-transfer.ts";
import type { Meter } from "./meter.ts";
import { nativeBalance } from "./native-balance.ts";
import { oracleDeviation } from "./oracle-deviation.ts";
import { oraclePrice } from "./oracle-price.ts";
import { oracleStaleness } from "./oracle-staleness.ts";
import { ownershipChange } from "./ownership-change.ts";
import { pauseState } from "./pause-state.ts";
import { poolImbalance } from "./pool-imbalance.ts";
import { proxyImplementation } from "./proxy-implementation.ts";
import { revertRate } from "./revert-rate.ts";
import { solanaAuthorityChange } from "./solana-authority-change.ts";
import { solanaEvent } from "./solana-event.ts";
import { solanaInstruction } from "./solana-instruction.ts";
import { solanaProgramUpgrade } from "./solana-program-upgrade.ts";
import { storageSlot } from "./storage-slot.ts";
import { timelockDelay } from "./timelock-delay.ts";
import { tokenBalance } from "./token-balance.ts";
import { tokenSupply } from "./token-supply.ts";
import { tvl } from "./tvl.ts";
import { txRate } from "./tx-rate.ts";
import { uniqueCallers } from "./unique-callers.ts";
import { utilization } from "./utilization.ts";
import { viewFunction } from "./view-function.ts";

/** Every meter. Their configs differ, and each is only ever handed what its own shape produced. */
export const meters: readonly Meter[] = [
  txRate,
  revertRate,
  uniqueCallers,
  eventFrequency,
  eventValue,
  functionCallRate,
  inactivity,
  nativeBalance,
  tokenBalance,
  tokenSupply,
  largeTransfer,
  gasUsage,
  viewFunction,
  storageSlot,
  proxyImplementation,
  ownershipChange,
  pauseState,
  oraclePrice,
  oracleDeviation,
  oracleStaleness,
  tvl,
  utilization,
  poolImbalance,
  bridgeConfig,
  governanceProposal,
  timelockDelay,
  anomalyDetection,
  solanaInstruction,
  solanaEvent,
  solanaProgramUpgrade,
  solanaAuthorityChange,
].map((meter) => meter as unknown as Meter);

const byType = new Map(meters.map((meter) => [meter.type, meter]));

export function meterOf(target_type: string): Meter | undefined {
  return byType.get(target_type);
}
