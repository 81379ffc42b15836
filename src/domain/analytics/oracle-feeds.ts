import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { listAnomalies } from "../../store/analytics/anomalies.ts";
import {
  type FeedRow,
  listFeeds,
  listNewestRounds,
  listRounds,
  type RoundRow,
} from "../../store/analytics/oracle-feeds.ts";
import { listRollups } from "../../store/engine/roll-ups.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";
import type { OracleFeed, Prices, PricesQuery } from "../../wire/analytics/oracle-feeds.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { spanOf } from "./analytics-span.ts";

/** More than a chart can show. */
const maxPoints = 2_000;
const maxMarkers = 500;
const hour = 3_600;

/** Returns the monitored feeds that the caller can see, with their current state. */
export async function listOracleFeeds(app: App, caller: OrgCaller): Promise<OracleFeed[]> {
  const rows = await listFeeds(app.db, viewerOf(caller));
  const newest = await listNewestRounds(
    app.db,
    rows.flatMap((row) => seriesOf(row) ?? []),
  );
  return rows.map((row) => toFeed(app, row, newest.get(seriesOf(row) ?? "")));
}

/** Returns the prices of a feed, per round within the retention of rounds and per hour before, with anomalies. */
export async function getPrices(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  query: PricesQuery,
): Promise<Prices> {
  const viewer = viewerOf(caller);
  const [row] = await listFeeds(app.db, viewer, contract_id);
  if (!row)
    throw new AppError(
      "not_found",
      "This contract has no oracle target. Create a target of the type oracle_price first.",
    );
  const span = await spanOf(app, query);
  const series = seriesOf(row);
  const [points, newest, anomalies] = await Promise.all([
    series ? pointsOf(app, series, span) : [],
    listNewestRounds(app.db, series ? [series] : []),
    listAnomalies(app.db, viewer, { contract_id }, span, { limit: maxMarkers, offset: 0 }),
  ]);
  const { pair, decimals, heartbeat_seconds, updated_at } = toFeed(app, row, newest.get(series ?? ""));
  return {
    contract_id,
    pair,
    decimals,
    heartbeat_seconds,
    points: points.map(({ at, price, round_id }) => ({ at: at.toISOString(), price, round_id })),
    anomalies: anomalies
      .filter(({ target_id }) => target_id === row.target_id)
      .map(({ at, anomaly_type, severity, score, value }) => {
        return { at: at.toISOString(), kind: anomaly_type as "jump", severity, score, price: value };
      })
      .reverse(),
    stats: { ...statsOf(points.map(({ price }) => price)), updated_at },
  };
}

function seriesOf({ target_id, generation }: FeedRow): string | undefined {
  return target_id === null ? undefined : seriesIdFor(target_id, generation ?? 1);
}

type Point = { at: Date; price: number; round_id: string | null };

async function pointsOf(app: App, series_id: string, span: { from: Date; to: Date }): Promise<Point[]> {
  const rounds = await listRounds(app.db, series_id, span, maxPoints);
  const first = rounds[0]?.at ?? span.to;
  const remaining = maxPoints - rounds.length;
  const until = Math.floor(first.getTime() / 1000);
  // Reads the hours directly before the rounds, so that a long range has no gap between hours and rounds.
  const after = Math.max(span.from.getTime() / 1000 - 1, until - (remaining + 1) * hour);
  const older = await listRollups(app.db, "samples_hour", [series_id], { after, until, limit: maxPoints });
  const hours = older.map(({ time, last }) => ({ at: new Date(time * 1000), price: last, round_id: null }));
  return [...(remaining > 0 ? hours.slice(-remaining) : []), ...rounds];
}

function toFeed(app: App, row: FeedRow, round: RoundRow | undefined): OracleFeed {
  const evidence = round?.evidence ?? {};
  const updatedAt = typeof evidence.updated_at === "number" ? evidence.updated_at : undefined;
  const age = updatedAt === undefined ? undefined : app.clock.now().getTime() / 1000 - updatedAt;
  const round_id = typeof evidence.round_id === "string" ? evidence.round_id : null;
  return {
    contract_id: row.contract_id,
    chain: row.chain,
    chain_id: Number(row.chain_id),
    address: row.address,
    label: row.label,
    pair: typeof evidence.pair === "string" ? evidence.pair : null,
    decimals: typeof evidence.decimals === "number" ? evidence.decimals : null,
    heartbeat_seconds: row.heartbeat_seconds,
    price: round?.price ?? null,
    round_id,
    phase_id: round_id === null ? null : Number(BigInt(round_id) >> 64n),
    aggregator: typeof evidence.aggregator === "string" ? evidence.aggregator : null,
    updated_at: updatedAt === undefined ? null : new Date(updatedAt * 1000).toISOString(),
    status: age === undefined ? "no_data" : age > row.heartbeat_seconds ? "stale" : "ok",
    target_types: row.target_types as OracleFeed["target_types"],
  };
}

function statsOf(prices: number[]) {
  if (prices.length === 0) return { min: null, max: null, mean: null, volatility: null, last: null };
  const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
  return {
    min: Math.min(...prices),
    max: Math.max(...prices),
    mean,
    volatility: volatilityOf(prices),
    last: prices.at(-1) ?? null,
  };
}

/** Returns the standard deviation of the relative changes between consecutive prices. */
function volatilityOf(prices: number[]): number | null {
  const steps = prices.slice(1).flatMap((price, index) => {
    const before = prices[index] as number;
    return before === 0 ? [] : [price / before - 1];
  });
  if (steps.length < 2) return null;
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return Math.sqrt(steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / (steps.length - 1));
}
