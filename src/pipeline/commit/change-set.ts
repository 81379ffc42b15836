import type { Block } from "../../chains/block.ts";
import { makePause, type Pause } from "../../lib/concurrency/pauses.ts";
import { toPlain } from "../../lib/plain-json.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { Progress } from "../../store/contracts/targets-progress.ts";
import type { Unread } from "../../store/contracts/unread-transactions.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import type { StoredBlockRef } from "../../store/engine/blocks.ts";
import type { CodeAt } from "../../store/engine/contract-code.ts";
import type { RuleStateRow } from "../../store/engine/rule-states.ts";
import type { NewSample } from "../../store/engine/samples.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import type { RuleState } from "../evaluate/rule-state.ts";
import type { Sample } from "../measure/measure-activity.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { newEvent } from "./new-event.ts";

/** An event that a rule fired. Its id is provisional: the store may already have an event of the same observation. */
export type Fired = { event: NewEvent; rule: WatchedRule; evaluation: Evaluation };

/** The changes of a batch of blocks, written in one transaction. */
export type ChangeSet = {
  /** Blocks above this height are rolled back first. */
  rollBackTo: number | undefined;
  blocks: StoredBlockRef[];
  samples: NewSample[];
  /** In block order; a rule may change in several blocks. */
  states: (RuleStateRow & { state: RuleState })[];
  fired: Fired[];
  resolved: { event_id: string; rule: WatchedRule; time: number; height: number }[];
  /** Events that fired during a cooldown which has ended. */
  notified: { event_id: string; rule: WatchedRule }[];
  reminders: { event_id: string; rule: WatchedRule; occurrence: number }[];
  /** Implementations of contracts, each from a height on. */
  codes: CodeAt[];
  /** Block time of the newest activity, by contract. */
  activity: Map<string, number>;
  /** The newest reading or problem, by target. */
  readings: Map<string, Progress>;
  /** The newest transaction that could not be read completely, by target. */
  unread: Map<string, Unread>;
};

export function emptyChangeSet(rollBackTo?: number): ChangeSet {
  return {
    rollBackTo,
    blocks: [],
    samples: [],
    states: [],
    fired: [],
    resolved: [],
    notified: [],
    reminders: [],
    codes: [],
    activity: new Map(),
    readings: new Map(),
    unread: new Map(),
  };
}

/** Removes the changes of rules that were edited or deleted in the meantime: they no longer apply. */
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
    notified: changes.notified.filter(isCurrent),
    reminders: changes.reminders.filter(isCurrent),
  };
}

/** Adds the samples and evaluations of one block. */
export async function addToChangeSet(
  changes: ChangeSet,
  block: Pick<Block, "height" | "hash" | "parent_hash" | "time" | "seen" | "scan" | "untraced">,
  { samples, evaluations }: { samples: Sample[]; evaluations: Evaluation[] },
  deps: { makeId(): string; now(): Date; setState(key: string, state: RuleState): void; pause?: Pause },
): Promise<void> {
  const { pause = makePause() } = deps;
  changes.blocks.push({
    height: block.height,
    hash: block.hash,
    parent_hash: block.parent_hash,
    time: block.time,
    ...(block.seen && { seen: block.seen }),
    ...(block.scan && { scan: block.scan }),
    ...(block.untraced && { untraced: true }),
  });
  for (const sample of samples) {
    await pause();
    changes.samples.push(toSampleRow(sample, changes.samples.length));
  }
  for (const evaluation of evaluations) {
    await pause();
    const state = addStep(changes, block, evaluation, deps);
    const { id: rule_id, version, key, group } = evaluation.rule;
    deps.setState(key, state);
    // The state after an occurrence belongs to the block of its reading, as its event does.
    const height = evaluation.occurrence?.reading.height ?? block.height;
    changes.states.push({ rule_id, group, version, height, state });
  }
}

/** Adds the step of an evaluation, and returns the new state with the id of its event. */
function addStep(
  changes: ChangeSet,
  block: Pick<Block, "height" | "hash" | "time">,
  evaluation: Evaluation,
  deps: { makeId(): string; now(): Date },
): RuleState {
  const { rule, verdict, before } = evaluation;
  const { step, state } = verdict;
  const event_id = before.event_id;
  const resolves = step.does === "resolve" || (step.does === "fire" && step.resolvesPrevious);
  if (event_id && resolves) {
    changes.resolved.push({ event_id, rule, time: block.time, height: block.height });
  }
  if (event_id && step.does === "notify") changes.notified.push({ event_id, rule });
  if (event_id && step.does === "remind") {
    changes.reminders.push({ event_id, rule, occurrence: state.reminders });
  }
  if (step.does !== "fire" && step.does !== "occur") return state;
  const event = newEvent(evaluation, block, deps.makeId(), deps.now());
  const is_silent = rule.mode === "shadow" || !step.notifies;
  changes.fired.push({ event: { ...event, is_silent }, rule, evaluation });
  // Nothing resolves an occurrence, so the state need not remember it.
  return step.does === "occur" ? state : { ...state, event_id: event.id };
}

function toSampleRow({ series_id, org_id, reading }: Sample, position: number): NewSample {
  const { height, time, value, subject, tx_hash } = reading;
  const isState = tx_hash === null && reading.position === null && reading.group === undefined;
  return {
    series_id,
    org_id,
    height,
    time,
    position,
    value,
    subject: subject ?? null,
    evidence: isState ? stateEvidenceOf(reading) : evidenceOf(reading),
  };
}

function evidenceOf({ evidence, tx_hash, position, log_index, group }: TimedReading): unknown {
  return toPlain({ ...evidence, tx_hash, position, log_index, group });
}

/** Readings of state that did not change share their evidence, and say nothing else. */
const stateEvidence = new WeakMap<object, unknown>();

function stateEvidenceOf(reading: TimedReading): unknown {
  const { evidence } = reading;
  const plain = (evidence && stateEvidence.get(evidence)) ?? evidenceOf(reading);
  if (evidence) stateEvidence.set(evidence, plain);
  return plain;
}
