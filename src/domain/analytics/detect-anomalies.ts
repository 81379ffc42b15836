import { type App, inSeconds, newId } from "../../app.ts";
import {
  type Anomaly,
  type Level,
  scoreCount,
  scoreLevel,
  scoreStale,
  severityOf,
} from "../../lib/anomaly/find-anomalies.ts";
import {
  type AnomalyCandidate,
  listAnomalyCandidates,
  listLastFound,
  recordChecked,
} from "../../store/analytics/anomalies.ts";
import { findFeedRound } from "../../store/analytics/oracle-feeds.ts";
import { listRollups, type Rollup } from "../../store/engine/roll-ups.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";

/** Target types whose readings are counted per minute, and those whose value is a level. */
const countTypes = ["tx_rate", "event_frequency", "function_call_rate", "solana_instruction", "solana_event"];
const levelTypes = [
  "oracle_price",
  "native_balance",
  "token_balance",
  "token_supply",
  "tvl",
  "utilization",
  "pool_imbalance",
  "view_function",
];

const minute = 60;
const day = 24 * 60 * minute;
/** Roll-ups of a minute can be this late. */
const rollupDelaySeconds = 3 * minute;
/** A longer backlog is skipped: old anomalies are not relevant. */
const maxMinutes = 60;
/** A repeated detection within this time belongs to the same anomaly. */
const episodeSeconds = 30 * minute;
const checkEverySeconds = 2 * minute;
const batch = 200;

/** Checks a batch of targets with unchecked minutes; `hasMore` if there may be more. */
export async function detectAnomalies(app: App): Promise<{ hasMore: boolean }> {
  const due = await listAnomalyCandidates(app.db, [...countTypes, ...levelTypes], {
    readSince: inSeconds(app, -day),
    checkedBefore: inSeconds(app, -checkEverySeconds),
    limit: batch,
  });
  for (const target of due) await checkTarget(app, target);
  return { hasMore: due.length === batch };
}

async function checkTarget(app: App, target: AnomalyCandidate): Promise<void> {
  const now = app.clock.now();
  // Missing samples mean something only up to the block time that was processed.
  const rolledUpTo = Math.min(now.getTime() / 1000 - rollupDelaySeconds, target.read_until.getTime() / 1000);
  const until = Math.floor(rolledUpTo / minute) * minute;
  const since = Math.max((target.checked_until?.getTime() ?? 0) / 1000, until - maxMinutes * minute);
  const anomalies = since < until ? await checkMinutes(app, target, since, until) : [];
  const ongoing = new Map(anomalies.map(({ kind, time }) => [kind, new Date(time * 1000)]));
  await recordChecked(app.db, target.id, await dropOngoing(app, target, anomalies), ongoing, {
    checked_until: new Date(Math.max(since, until) * 1000),
    checked_at: now,
  });
}

type Found = Anomaly & { time: number };

async function checkMinutes(
  app: App,
  target: AnomalyCandidate,
  since: number,
  until: number,
): Promise<Found[]> {
  const series = seriesIdFor(target.id, target.generation);
  const span = { after: since - day - minute, until, limit: 10_000 };
  const sums = await listRollups(app.db, "samples_minute", [series], span);
  const anomalies: Found[] = [];
  for (let time = since; time < until; time += minute) {
    const earlierSums = sums.filter((sum) => sum.time <= time);
    const scored = countTypes.includes(target.target_type)
      ? scoreCount(countsUpTo(earlierSums, time))
      : scoreLevel(earlierSums.at(-1)?.time === time ? levelsOf(earlierSums) : []);
    anomalies.push(...scored.map((anomaly) => ({ ...anomaly, time })));
  }
  if (target.target_type === "oracle_price") anomalies.push(...(await checkFeed(app, target, until)));
  return anomalies;
}

/** Returns the count of each minute since the first with data, including zeros. */
function countsUpTo(sums: Rollup[], time: number): number[] {
  const first = sums[0]?.time;
  if (first === undefined) return [];
  const byTime = new Map(sums.map((sum) => [sum.time, sum.count]));
  return Array.from(
    { length: (time - first) / minute + 1 },
    (_, index) => byTime.get(first + index * minute) ?? 0,
  );
}

function levelsOf(sums: Rollup[]): Level[] {
  return sums.map(({ time, last }) => ({ minute: time / minute, value: last }));
}

/** Checks the age of the newest round of a feed. */
async function checkFeed(app: App, target: AnomalyCandidate, until: number): Promise<Found[]> {
  const round = await findFeedRound(app.db, target.contract_id, seriesIdFor(target.id, target.generation));
  if (!round) return [];
  return scoreStale(until - round.updated_at, round.heartbeat_seconds).map((anomaly) => ({
    ...anomaly,
    time: until - minute,
  }));
}

/** Drops detections that continue an anomaly; a detection after a gap is a new anomaly. */
async function dropOngoing(app: App, target: AnomalyCandidate, anomalies: Found[]) {
  if (anomalies.length === 0) return [];
  const last = await listLastFound(app.db, target.id, inSeconds(app, -day));
  const lastTimes = new Map([...last].map(([kind, at]) => [kind, at.getTime() / 1000]));
  return anomalies.flatMap(({ kind, time, score, value, expected }) => {
    const before = lastTimes.get(kind);
    lastTimes.set(kind, time);
    if (before !== undefined && time - before <= episodeSeconds) return [];
    const { org_id, contract_id, chain_id, id: target_id } = target;
    const at = new Date(time * 1000);
    const about = { org_id, contract_id, chain_id, target_id };
    return [
      {
        id: newId(app),
        ...about,
        anomaly_type: kind,
        severity: severityOf(score),
        score,
        value,
        expected,
        at,
        last_seen_at: at,
      },
    ];
  });
}
