import { isDeepStrictEqual } from "node:util";
import { InvalidRequest } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import type { ConfigTarget } from "../../../wire/imports/configuration.ts";
import { readConfig } from "../../contracts/target-config.ts";
import { addError, changedOf, type Loc, type Work } from "./change-log.ts";
import { makeRuleComparison } from "./compare-rules.ts";
import { matchExisting } from "./match-existing.ts";
import type { TargetState } from "./org-state.ts";
import { toConfigTarget } from "./to-document.ts";

/** A target of the document, its config with defaults, and the existing target, if any. */
export type TargetPlan = {
  wanted: ConfigTarget;
  loc: Loc;
  state: TargetState | undefined;
  /** Undefined until the target is created. */
  id: string | undefined;
};

export const targetFields = ["name", "config", "is_enabled"] as const;

export async function planTargets(
  work: Work,
  targets: ConfigTarget[] | undefined,
  loc: Loc,
  existing: TargetState[],
): Promise<TargetPlan[]> {
  const seen = new Set<string>();
  const plans = (targets ?? []).flatMap((given, index): TargetPlan[] => {
    const targetLoc = [...loc, index];
    const wanted = withDefaults(work, given, targetLoc, existing);
    if (!wanted) return [];
    if (isUniqueType(given) && seen.has(given.target_type)) {
      addError(work, targetLoc, "is a duplicate");
      return [];
    }
    seen.add(given.target_type);
    return [{ wanted, loc: targetLoc, state: undefined, id: undefined }];
  });
  const pairs = await matchTargets(work, plans, existing);
  return plans.map((plan) => {
    const state = pairs.get(plan);
    return { ...plan, state, id: state?.row.id };
  });
}

/** Targets may differ only in their rules; the one with the most rules is matched first. */
function matchTargets(work: Work, plans: TargetPlan[], existing: TargetState[]) {
  const { hasAll } = makeRuleComparison(work);
  const rulesOf = ({ wanted }: TargetPlan) => wanted.rules ?? [];
  const hasFieldsOf = ({ wanted }: TargetPlan, { row }: TargetState) =>
    changedOf(wanted, toConfigTarget(row), targetFields).length === 0;
  const hasBoth = async (plan: TargetPlan, state: TargetState) =>
    hasFieldsOf(plan, state) && (await hasAll(rulesOf(plan), state.rules));
  const byRuleCount = plans.toSorted((a, b) => rulesOf(b).length - rulesOf(a).length);
  const hasExactly = async (plan: TargetPlan, state: TargetState) =>
    rulesOf(plan).length === state.rules.length && hasBoth(plan, state);
  const keyOf = ({ wanted }: TargetPlan) => wanted.target_type;
  const keysOf = ({ row }: TargetState) => [row.target_type];
  const criteria = [hasExactly, hasBoth, hasFieldsOf, hasConfigOf];
  return matchExisting(byRuleCount, existing, { keyOf, keysOf, mayBe, criteria }, work.effort);
}

function isUniqueType({ target_type }: ConfigTarget): boolean {
  return meterOf(target_type)?.instances === "one";
}

function mayBe({ wanted }: TargetPlan, { row }: TargetState): boolean {
  if (wanted.target_type !== row.target_type) return false;
  return isUniqueType(wanted) || row.name === targetName(wanted);
}

export function targetName({ name, target_type }: ConfigTarget): string {
  return name ?? meterOf(target_type)?.title ?? target_type;
}

function hasConfigOf({ wanted }: TargetPlan, { row }: TargetState): boolean {
  return wanted.config === undefined || isDeepStrictEqual(wanted.config, row.config);
}

/** Adds config defaults. An unchanged config is not validated again, because its schema may have changed since. */
function withDefaults(
  { errors }: Work,
  target: ConfigTarget,
  loc: Loc,
  existing: TargetState[],
): ConfigTarget | undefined {
  const { config, target_type } = target;
  if (config === undefined && existing.some(({ row }) => row.target_type === target_type)) return target;
  if (existing.some(({ row }) => row.target_type === target_type && isDeepStrictEqual(row.config, config)))
    return target;
  try {
    return { ...target, config: readConfig(meterOf(target_type), config ?? {}, loc) };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    errors.push(...error.issues);
    return undefined;
  }
}
