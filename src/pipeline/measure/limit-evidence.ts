import { jsonBytes, limitJson } from "../../lib/json/limit-json.ts";
import type { Reading } from "../../meters/meter.ts";
import type { EngineState } from "../watch/engine-state.ts";

/** The maximum size of the evidence of one sample, as JSON: 16 KiB with the transaction and the position that are added to it. */
const maxSampleBytes = 16 * 1024 - 256;

/**
 * Limits the evidence of a reading: the sender of a transaction determines its size. Beyond the hourly budget of the
 * organisation the decoded arguments are left out; readings and alerts are not affected.
 */
export function limitEvidence(
  engine: Pick<EngineState, "evidence">,
  org_id: string,
  time: number,
  { evidence }: Reading,
): Pick<Reading, "evidence"> {
  if (!evidence) return {};
  const limited = limitJson(evidence, maxSampleBytes);
  if (engine.evidence.spend(org_id, time, jsonBytes(limited, maxSampleBytes))) return { evidence: limited };
  const { decoded, ...rest } = limited;
  return { evidence: decoded === undefined ? rest : { ...rest, cut: ["decoded"] } };
}
