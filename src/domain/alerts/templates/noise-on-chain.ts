import type { App } from "../../../app.ts";
import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import { chainOf } from "../../../chains/index.ts";
import { ChainError } from "../../../chains/reader.ts";
import type { EventFilter } from "../../../chains/reading-plan.ts";
import { AppError } from "../../../errors/app-error.ts";
import { withDeadline } from "../../../lib/concurrency/deadline.ts";
import { makePause } from "../../../lib/concurrency/pauses.ts";
import { offloadFor } from "../../../lib/concurrency/worker-pool.ts";
import { needsOf, type TimedReading } from "../../../meters/meter.ts";
import {
  compileContract,
  compileRule,
  groupOf,
  lookbackSeconds,
  readingsOf,
  type WatchedRule,
  type WatchedTarget,
} from "../../../pipeline/index.ts";
import type { WatchRow } from "../../../store/engine/watch.ts";
import type { Fit } from "../../../templates/fit-template.ts";
import type { Template } from "../../../templates/template.ts";
import type { NoiseEstimate } from "../../../wire/alerts/noise-estimate.ts";
import { withChainClient } from "../../inspection/chain-access.ts";
import { runReplay } from "../backtest/run-replay.ts";
import { unstoredRule } from "../rule-subject.ts";
import { toEstimate, unknownNoise } from "./noise-estimate.ts";
import { findPastEvents, type PastEvents } from "./past-events.ts";

/** A rule that a template would create. */
export type PlannedRule = { template: Template; fit: Fit };

/** Estimating must leave time for the request to apply the rules. */
const searchMs = 4_000;

/**
 * Estimates the noise of rules whose targets have no readings yet: measures the events that the contract emitted in the last days
 * and evaluates the rules on them, windows and groups included. Results are in the order of the rules; undefined where events do
 * not show what a rule measures.
 */
export async function estimateOnChain(
  app: App,
  contract: WatchRow,
  planned: readonly PlannedRule[],
): Promise<(NoiseEstimate | undefined)[]> {
  const compiled = await compilePlanned(app, contract, planned);
  const replayable = compiled.filter((rule) => rule !== undefined);
  if (replayable.length === 0) return compiled.map(() => undefined);
  const past = await readPast(app, contract, replayable);
  if (typeof past === "string") return compiled.map((rule) => rule && unknownNoise(past));
  const estimates = new Map<Compiled, NoiseEstimate>();
  for (const [index, rule] of replayable.entries()) {
    const events = past[index];
    if (events) estimates.set(rule, await evaluateOn(app, contract, rule, events));
  }
  return compiled.map((rule) => rule && estimates.get(rule));
}

type Compiled = { rule: WatchedRule; row: Parameters<typeof compileRule>[1]; filters: EventFilter[] };

/** Compiles rules and their targets as the engine would; undefined for those that events do not show. */
async function compilePlanned(
  app: App,
  contract: WatchRow,
  planned: readonly PlannedRule[],
): Promise<(Compiled | undefined)[]> {
  const chain = chainOf(contract.chain);
  if (chain?.kind !== "evm") return planned.map(() => undefined);
  const targets = planned.map(({ template, fit }, index) => ({
    ...{ id: plannedId(index), target_type: template.target_type, generation: 1, config: fit.config ?? {} },
  }));
  const offload = offloadFor(app.workers, contract.org_id);
  const watched = await compileContract(chain, { ...contract, targets, rules: [] }, offload);
  return planned.map(({ template: { for_seconds }, fit: { condition } }, index) => {
    const target = watched.targets.find(({ id }) => id === plannedId(index));
    if (!target) return undefined;
    const row = unstoredRule({ target_id: target.id, condition, for_seconds }, new Date(0).toISOString());
    const rule = compileRule(target, row);
    const filters = rule && eventsShowing(target, rule);
    return rule && filters && { rule, row, filters };
  });
}

function plannedId(index: number): string {
  return `planned ${index}`;
}

/** The events that show all that a target measures. Undefined if it measures transactions, or a state without events. */
function eventsShowing(
  { meter, config, contract }: WatchedTarget,
  rule: WatchedRule,
): EventFilter[] | undefined {
  const needs = needsOf(meter, config);
  const isShown = needs.every((need) => need === "logs" || need === "state") && needs.includes("logs");
  // A baseline also counts the minutes in which nothing happened, which only polls show. Senders are not in logs.
  if (!isShown || !meter.measure || meter.baseline || rule.group_by?.by === "sender") return undefined;
  const filters = meter.events?.(config, contract.subject) ?? [];
  return filters.length > 0 ? filters : undefined;
}

/** Returns the past events of each rule, or why there are none. Rules on single events are rare ones and share a search. */
async function readPast(
  app: App,
  { org_id, address, chain: key }: WatchRow,
  rules: readonly Compiled[],
): Promise<PastEvents[] | string> {
  const chain = chainOf(key);
  if (!chain) return unreadable;
  const single = rules.filter(({ rule }) => rule.isEach).flatMap(({ filters }) => filters);
  const lists = rules.map(({ rule, filters }) => (rule.isEach ? single : filters));
  try {
    const timeout = () => new ChainError("The search for events took too long.");
    const search = withChainClient(app, org_id, chain, (client) => findPastEvents(client, address, lists));
    return (await withDeadline(searchMs, search, timeout)) ?? silent;
  } catch (error) {
    if (error instanceof ChainError) return unreadable;
    if (error instanceof AppError && error.code === "chain_unavailable") return unreadable;
    throw error;
  }
}

const unreadable = "The past of the contract could not be read from the chain in time.";
const silent =
  "The contract emitted no events in the last days, so that its past does not show how often the rule would fire.";

/** Evaluates a rule on past events. The first window only fills up. */
async function evaluateOn(
  app: App,
  contract: WatchRow,
  { rule, row }: Compiled,
  { events, from, to, blocks }: PastEvents,
): Promise<NoiseEstimate> {
  const evaluated = { source: "chain" as const, from: from + lookbackSeconds(rule), to, blocks };
  if (evaluated.from >= to) return toEstimate(0, { ...evaluated, from: to });
  const readings = await measureAll(rule, events);
  const { target_type, generation, config, id } = rule.target;
  const { episodes } = await runReplay(app, contract.org_id, {
    // Readings are decoded already.
    contract: {
      ...{ ...contract, abi: null, implementation_abi: null, rules: [] },
      targets: [{ id, target_type, generation, config }],
    },
    rule: { ...row, created_at: new Date(evaluated.from * 1000).toISOString() },
    readings,
    others: [],
    span: { from: evaluated.from, to, evaluatedUntil: to },
    data: { from: evaluated.from, to },
  });
  return toEstimate(episodes.length, evaluated);
}

/** Returns the readings of the events that the engine would have measured, with their groups. A busy contract has thousands. */
async function measureAll(
  { target, group_by }: WatchedRule,
  events: readonly Block[],
): Promise<TimedReading[]> {
  const { contract } = target;
  const monitored = { at: () => [contract], on: () => [], needsTraces: () => false };
  const readings: TimedReading[] = [];
  const pause = makePause();
  for (const block of events) {
    await pause();
    const { decodeBlock } = familyOf(contract.subject.chain);
    const activity = (await decodeBlock(block, monitored, pause)).get(contract);
    if (!activity) continue;
    const { height, time } = block;
    for (const reading of await readingsOf(target, activity, readings.at(-1), pause)) {
      const group = group_by && groupOf(group_by, reading);
      if (!group_by || group !== undefined)
        readings.push({ ...reading, height, time, ...(group !== undefined && { group }) });
    }
  }
  return readings;
}
