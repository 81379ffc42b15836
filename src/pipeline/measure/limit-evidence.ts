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
  { evidence, tx_hash }: Reading,
): Pick<Reading, "evidence"> {
  if (!evidence) return {};
  const { limited, bytes } = tx_hash === null ? limitOnce(evidence) : limit(evidence);
  if (engine.evidence.spend(org_id, time, bytes)) return { evidence: limited };
  const { decoded, ...rest } = limited;
  return { evidence: decoded === undefined ? rest : { ...rest, cut: ["decoded"] } };
}

type Limited = { limited: Record<string, unknown>; bytes: number };

/** Readings of state that did not change share their evidence. */
const limits = new WeakMap<object, Limited>();

function limitOnce(evidence: Record<string, unknown>): Limited {
  const earlier = limits.get(evidence);
  if (earlier) return earlier;
  const fresh = limit(evidence);
  limits.set(fresh.limited, fresh);
  return fresh;
}

function limit(evidence: Record<string, unknown>): Limited {
  const limited = limitJson(evidence, maxSampleBytes);
  return { limited, bytes: jsonBytes(limited, maxSampleBytes) };
}
