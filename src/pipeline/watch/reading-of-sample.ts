import type { TimedReading } from "../../meters/meter.ts";
import type { SampleRow } from "../../store/engine/samples.ts";

/** Converts a stored sample; its evidence also holds the transaction and the position of the log. */
export function toReading({ height, time, value, subject, evidence }: SampleRow): TimedReading {
  const { tx_hash, position, log_index, group, ...rest } = evidence;
  return {
    height,
    time,
    value,
    tx_hash: tx_hash ?? null,
    position: position ?? null,
    ...(log_index !== undefined && { log_index }),
    ...(subject !== null && { subject }),
    ...(group !== undefined && { group }),
    evidence: rest,
  };
}
