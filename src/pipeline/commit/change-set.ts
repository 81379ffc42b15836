import type { Block } from "../../chains/block.ts";
import { toPlain } from "../../lib/plain-json.ts";
import type { Progress } from "../../store/contracts/targets-progress.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import type { StoredBlockRef } from "../../store/engine/blocks.ts";
import type { CodeAt } from "../../store/engine/contract-code.ts";
import type { RuleStateRow } from "../../store/engine/rule-states.ts";
import type { SampleRow } from "../../store/engine/samples.ts";
import { describe } from "../evaluate/describe-alert.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { RuleState } from "../evaluate/rule-state.ts";
import type { Sample } from "../measure/measure-activity.ts";
import type { WatchedRule } from "../watch/watch-list.ts";

/** An event that a rule fired. Its id is provisional until it is written: the store may know the observation already. */
export type Fired = { event: NewEvent; rule: WatchedRule };

/** Everything that a run of blocks changes, to be written in one transaction. */
export type ChangeSet = {
  /** Blocks above this height are rolled back first. */
  rollBackTo: number | undefined;
  blocks: StoredBlockRef[];
  samples: SampleRow[];
  /** In order; a rule may move in several blocks. */
  states: (RuleStateRow & { state: RuleState })[];
  fired: Fired[];
  resolved: { event_id: string; rule: WatchedRule; time: number; height: number }[];
  /** Events that began during a cooldown which is over now. */
  told: { event_id: string; rule: WatchedRule }[];
  reminders: { event_id: string; rule: WatchedRule; occurrence: number }[];
  /** The code that contracts have from a block on. */
  codes: CodeAt[];
  /** Block time of the newest activity, by contract. */
  activity: Map<string, number>;
  /** The newest reading or problem, by target. */
  readings: Map<string, Progress>;
};

export function emptyChangeSet(rollBackTo?: number): ChangeSet {
  return {
    rollBackTo,
    blocks: [],
    samples: [],
    states: [],
    fired: [],
    resolved: [],
    told: [],
    reminders: [],
    codes: [],
    activity: new Map(),
    readings: new Map(),
  };
}

/** What is left when somebody changed or deleted rules meanwhile: what those found is not true of what they are now. */
export function withoutOutdatedVersions(
  changes: ChangeSet,
  versions: ReadonlyMap<string, number>,
): ChangeSet {
  const isCurrent = ({ rule }: { rule: WatchedRule }) => versions.get(rule.id) === rule.version;
  return {
    ...changes,
    states: changes.states.filter(({ rule_id, version }) => versions.get(rule_id) === version),
    fired: changes.fired.filter(isCurrent),
    resolved: changes.resolved.filter(isCurrent),
    told: changes.told.filter(isCurrent),
    reminders: changes.reminders.filter(isCurrent),
  };
}

/** Adds one block's samples and evaluations. `makeId` and `now` are the app's. */
export function addToChangeSet(
  changes: ChangeSet,
  block: Pick<Block, "height" | "hash" | "parent_hash" | "time" | "seen">,
  samples: Sample[],
  evaluations: Evaluation[],
  app: { makeId(): string; now(): Date; setState(rule_id: string, state: RuleState): void },
): void {
  changes.blocks.push({
    height: block.height,
    hash: block.hash,
    parent_hash: block.parent_hash,
    time: block.time,
    ...(block.seen && { seen: block.seen }),
  });
  for (const sample of samples) changes.samples.push(toSampleRow(sample, changes.samples.length));
  for (const evaluation of evaluations) {
    const state = addStep(changes, block, evaluation, app);
    app.setState(evaluation.rule.id, state);
    const { id: rule_id, version } = evaluation.rule;
    changes.states.push({ rule_id, version, height: block.height, state });
  }
}

/** Notes what an evaluation asks for, and returns the state with the event that it now belongs to. */
function addStep(
  changes: ChangeSet,
  block: Pick<Block, "height" | "hash" | "time">,
  evaluation: Evaluation,
  app: { makeId(): string; now(): Date },
): RuleState {
  const { rule, verdict, before } = evaluation;
  const { step, state } = verdict;
  const event_id = before.event_id;
  const isOver = step.does === "resolve" || (step.does === "fire" && step.endsOther);
  if (event_id && isOver) {
    changes.resolved.push({ event_id, rule, time: block.time, height: block.height });
  }
  if (event_id && step.does === "tell") changes.told.push({ event_id, rule });
  if (event_id && step.does === "remind") {
    changes.reminders.push({ event_id, rule, occurrence: state.reminders });
  }
  if (step.does !== "fire") return state;
  const event = toEvent(evaluation, block, app.makeId(), app.now());
  changes.fired.push({ event: { ...event, is_silent: rule.mode === "shadow" || !step.notifies }, rule });
  return { ...state, event_id: event.id };
}

function toSampleRow({ series_id, org_id, reading }: Sample, position: number): SampleRow {
  const { height, time, value, subject, tx_hash, log_index, position: logPosition, evidence } = reading;
  return {
    series_id,
    org_id,
    height,
    time,
    position,
    value,
    subject: subject ?? null,
    evidence: toPlain({ ...evidence, tx_hash, position: logPosition, log_index }),
  };
}

function toEvent(
  evaluation: Evaluation,
  block: Pick<Block, "height" | "hash" | "time">,
  id: string,
  now: Date,
): NewEvent {
  const { rule, windowResult, cause } = evaluation;
  const { target } = rule;
  const { contract, meter } = target;
  const { title, message, explanation } = describe(evaluation);
  return {
    id,
    org_id: contract.org_id,
    kind: windowResult.isNoData ? "no_data" : "fired",
    status: "firing",
    rule_id: rule.id,
    rule_version: rule.version,
    observation: observationOf(evaluation, block.time),
    rule_name: rule.name,
    contract_id: contract.id,
    agent_id: rule.agent_id,
    chain: contract.subject.chain.chain,
    chain_id: String(contract.subject.chain.chain_id),
    target_id: target.id,
    target_type: target.target_type,
    severity: rule.severity,
    title,
    message,
    value: windowResult.value,
    threshold: rule.condition.threshold,
    operator: rule.condition.operator,
    unit: meter.unit,
    window_seconds: rule.condition.window_seconds,
    held_for: rule.confirmations,
    fired_at: new Date(block.time * 1000),
    detected_at: now,
    resolved_at: null,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: String(block.height),
    block_hash: block.hash,
    tx_hash: cause?.tx_hash ?? null,
    log_index: cause?.log_index ?? null,
    finality: "pending",
    explanation: JSON.stringify(explanation),
    created_at: now,
  };
}

/** What was seen, in words that another branch of the chain would use too: not the block, but the transaction. */
function observationOf({ rule, cause, windowResult }: Evaluation, time: number): string {
  const { chain } = rule.target.contract.subject.chain;
  if (windowResult.isNoData) return `${chain}:silence:${time}`;
  if (!cause?.tx_hash) return `${chain}:time:${time}`;
  return `${chain}:${cause.tx_hash}:${cause.position ?? "tx"}`;
}
