import type { App } from "../../../app.ts";
import type { TimedReading } from "../../../meters/meter.ts";
import { type BacktestInput, type BacktestOutcome, replayBacktest, replayBacktestTask } from "./replay.ts";

/** A smaller back-test takes a few milliseconds. */
const maxInlineReadings = 500;

/** Replays a rule over readings, in a thread if they are many. */
export async function runReplay(app: App, org_id: string, input: BacktestInput): Promise<BacktestOutcome> {
  const { readings, others } = input;
  const size = others.reduce((sum, list) => sum + list.length, readings.length);
  if (size <= maxInlineReadings) return replayBacktest(input);
  return app.workers.run(replayBacktestTask, org_id, {
    ...input,
    readings: readings.map(withoutDetails),
    others: others.map((list) => list.map(withoutDetails)),
  });
}

/** Of the evidence, a condition reads only `state`; copying the rest to a thread would take long. */
function withoutDetails({ evidence, ...reading }: TimedReading): TimedReading {
  return evidence?.state === undefined ? reading : { ...reading, evidence: { state: evidence.state } };
}
