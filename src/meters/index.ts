import { eventFrequency } from "./event-frequency.ts";
import type { Meter } from "./meter.ts";
import { nativeBalance } from "./native-balance.ts";
import { revertRate } from "./revert-rate.ts";
import { txRate } from "./tx-rate.ts";
import { uniqueCallers } from "./unique-callers.ts";

/** Every meter. Their configs differ, and each is only ever handed what its own shape produced. */
export const meters: readonly Meter[] = [
  txRate,
  revertRate,
  uniqueCallers,
  eventFrequency,
  nativeBalance,
].map((meter) => meter as unknown as Meter);

const byType = new Map(meters.map((meter) => [meter.type, meter]));

export function meterOf(target_type: string): Meter | undefined {
  return byType.get(target_type);
}
