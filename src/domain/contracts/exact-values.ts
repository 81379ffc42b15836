import type { TargetRow } from "../../store/contracts/targets.ts";
import { listRecentSamples } from "../../store/engine/samples.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";
import type { Db } from "../../store/open-store.ts";

/**
 * Returns the last values of targets that are integers beyond the exact range of a number, as the chain returned them, by
 * target.
 */
export async function findExactValues(db: Db, targets: TargetRow[]): Promise<Map<string, string>> {
  const large = targets.filter(({ last_value }) => Math.abs(last_value ?? 0) > Number.MAX_SAFE_INTEGER);
  const bySeries = new Map(large.map((target) => [seriesIdFor(target.id, target.generation), target]));
  const oldest = Math.min(...large.map(({ last_value_at }) => last_value_at?.getTime() ?? 0));
  const samples = await listRecentSamples(db, [...bySeries.keys()], { after: oldest / 1000 - 1, limit: 1 });
  const values = samples.flatMap(({ series_id, evidence }) => {
    const target = bySeries.get(series_id);
    const text = evidence.returned ?? evidence.state;
    // The value of a target with decimals is another number than the one that was returned.
    const isSame = typeof text === "string" && /^-?\d+$/.test(text) && Number(text) === target?.last_value;
    return target && isSame ? [[target.id, text] as const] : [];
  });
  return new Map(values);
}
