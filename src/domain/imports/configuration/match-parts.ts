import { isDeepStrictEqual } from "node:util";
import { workerTask } from "../../../lib/concurrency/worker-pool.ts";
import { meterOf } from "../../../meters/index.ts";
import type { ConfigRule, ConfigTarget } from "../../../wire/imports/configuration.ts";
import { changedOf } from "./changed-fields.ts";
import { changesOfRule, mayBeRule, ruleKeys, type ShownRule, wantedRuleKey } from "./compare-rules.ts";
import { Comparisons, matchExisting, TooManyComparisons } from "./match-existing.ts";

/** A stored target with its rules, in the form of a document. */
export type ShownTarget = Required<Omit<ConfigTarget, "rules">> & { rules: ShownRule[] };

/** The targets of one contract, as plain data that can be sent to a thread. */
export type PartsInput = { wanted: ConfigTarget[]; existing: ShownTarget[]; maxComparisons: number };

/** For each wanted target and each of its rules, the position of the existing one; undefined for a new one. */
export type Matches = {
  targets: (number | undefined)[];
  rules: (RulePosition | undefined)[][];
  comparisons: number;
};
export type RulePosition = { target: number; rule: number };

type Wanted = { target: ConfigTarget; rules: ConfigRule[]; position: number };
type Existing = ShownTarget & { position: number };
type WantedRule = { rule: ConfigRule; target: number; position: number; on: number | undefined };
type ExistingRule = ShownRule & { at: RulePosition };

export const targetFields = ["name", "config", "is_enabled"] as const;

/** Matches the targets of a document, and their rules, with those of a contract. Undefined if that needs more comparisons. */
export function matchParts({ wanted, existing, maxComparisons }: PartsInput): Matches | undefined {
  const comparisons = new Comparisons(maxComparisons);
  try {
    const targets = matchTargets(wanted, existing, comparisons);
    const rules = matchRules(wanted, existing, targets, comparisons);
    return { targets, rules, comparisons: comparisons.count };
  } catch (error) {
    if (error instanceof TooManyComparisons) return undefined;
    throw error;
  }
}

export const matchPartsTask = workerTask(
  "src/domain/imports/configuration/match-parts.ts",
  matchParts,
  15_000,
);

/** Targets may differ only in their rules; the one with the most rules is matched first. */
function matchTargets(
  wanted: readonly ConfigTarget[],
  existing: readonly ShownTarget[],
  comparisons: Comparisons,
): (number | undefined)[] {
  const plans: Wanted[] = wanted.map((target, position) => ({
    target,
    rules: target.rules ?? [],
    position,
  }));
  const hasBoth = (plan: Wanted, other: Existing) =>
    hasFields(plan, other) && hasRules(plan.rules, other.rules, comparisons);
  const hasExactly = (plan: Wanted, other: Existing) =>
    plan.rules.length === other.rules.length && hasBoth(plan, other);
  const matching = {
    keyOf: ({ target }: Wanted) => target.target_type,
    keysOf: ({ target_type }: Existing) => [target_type],
    mayBe: mayBeTarget,
    criteria: [hasExactly, hasBoth, hasFields, hasConfig],
  };
  const pairs = matchExisting(
    plans.toSorted((a, b) => b.rules.length - a.rules.length),
    existing.map((shown, position) => ({ ...shown, position })),
    matching,
    comparisons,
  );
  return plans.map((plan) => pairs.get(plan)?.position);
}

function mayBeTarget({ target }: Wanted, { target_type, name }: Existing): boolean {
  return target.target_type === target_type && (isUniqueType(target) || name === targetName(target));
}

export function isUniqueType({ target_type }: ConfigTarget): boolean {
  return meterOf(target_type)?.instances === "one";
}

export function targetName({ name, target_type }: ConfigTarget): string {
  return name ?? meterOf(target_type)?.title ?? target_type;
}

function hasFields({ target }: Wanted, existing: Existing): boolean {
  return changedOf(target, existing, targetFields).length === 0;
}

function hasConfig({ target }: Wanted, { config }: Existing): boolean {
  return target.config === undefined || isDeepStrictEqual(target.config, config);
}

/** True if all rules exist unchanged. */
function hasRules(
  wanted: readonly ConfigRule[],
  existing: readonly ShownRule[],
  comparisons: Comparisons,
): boolean {
  if (wanted.length > existing.length) return false;
  const isUnchanged = (wanted: ConfigRule, other: ShownRule) =>
    mayBeRule(wanted, other) && changesOfRule(wanted, other).length === 0;
  const matching = { keyOf: wantedRuleKey, keysOf: ruleKeys, mayBe: isUnchanged, criteria: [() => true] };
  return matchExisting(wanted, existing, matching, comparisons).size === wanted.length;
}

/** Matches rules with those of any matched target: a rule may have moved. */
function matchRules(
  wanted: readonly ConfigTarget[],
  existing: readonly ShownTarget[],
  targets: readonly (number | undefined)[],
  comparisons: Comparisons,
): Matches["rules"] {
  const plans = wanted.flatMap(({ rules = [] }, target) =>
    rules.map((rule, position): WantedRule => ({ rule, target, position, on: targets[target] })),
  );
  const rows = targets.flatMap((target = -1) =>
    (existing[target]?.rules ?? []).map((shown, rule): ExistingRule => ({ ...shown, at: { target, rule } })),
  );
  const isOn = ({ on }: WantedRule, { at }: ExistingRule) => on === at.target;
  const matching = {
    keyOf: ({ rule }: WantedRule) => wantedRuleKey(rule),
    keysOf: ruleKeys,
    mayBe: ({ rule }: WantedRule, row: ExistingRule) => mayBeRule(rule, row),
    criteria: [
      (plan: WantedRule, row: ExistingRule) => isOn(plan, row) && changesOfRule(plan.rule, row).length === 0,
      (plan: WantedRule, row: ExistingRule) =>
        isOn(plan, row) && isDeepStrictEqual(plan.rule.channels, row.channels),
    ],
  };
  const pairs = matchExisting(plans, rows, matching, comparisons);
  const matches: Matches["rules"] = wanted.map(() => []);
  for (const plan of plans) matches[plan.target]?.push(pairs.get(plan)?.at);
  return matches;
}
