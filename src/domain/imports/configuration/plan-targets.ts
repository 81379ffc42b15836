import { isDeepStrictEqual } from "node:util";
import { InvalidRequest } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { ConfigRule, ConfigTarget } from "../../../wire/imports/configuration.ts";
import { readConfig } from "../../contracts/target-config.ts";
import { addError, type Loc, type Work } from "./change-log.ts";
import { isUniqueType, type RulePosition } from "./match-parts.ts";
import type { TargetState } from "./org-state.ts";
import { makeRuleDisplay } from "./show-rule.ts";
import { toConfigTarget } from "./to-document.ts";

/** A target of the document, its config with defaults, and the existing target, if any. */
export type TargetPlan = {
  wanted: ConfigTarget;
  loc: Loc;
  state: TargetState | undefined;
  /** Undefined until the target is created. */
  id: string | undefined;
};

/** A rule of the document, its target, and the existing rule, if any. */
export type RulePlan = { wanted: ConfigRule; loc: Loc; target: TargetPlan; state: RuleRow | undefined };

/** Matches the targets and rules of the document with those of a contract. */
export async function planTargets(
  work: Work,
  wantedTargets: ConfigTarget[] | undefined,
  loc: Loc,
  existing: TargetState[],
): Promise<{ targets: TargetPlan[]; rules: RulePlan[] }> {
  const valid = validTargets(work, wantedTargets ?? [], loc, existing);
  const show = makeRuleDisplay(work, existing);
  const matches = await work.effort.match({
    wanted: valid.map(({ wanted }) => wanted),
    existing: existing.map(({ row, rules }) => ({ ...toConfigTarget(row), rules: rules.map(show) })),
  });
  const targets = valid.map((pair, index): TargetPlan => {
    const state = existing[matches.targets[index] ?? -1];
    return { ...pair, state, id: state?.row.id };
  });
  const ruleAt = (at: RulePosition | undefined) => at && existing[at.target]?.rules[at.rule];
  const rules = targets.flatMap((target, index) =>
    (target.wanted.rules ?? []).map((wanted, position): RulePlan => {
      const ruleLoc = [...target.loc, "rules", position];
      return { wanted, loc: ruleLoc, target, state: ruleAt(matches.rules[index]?.[position]) };
    }),
  );
  return { targets, rules };
}

/** The targets with config defaults, without those that are invalid or duplicates. */
function validTargets(
  work: Work,
  targets: ConfigTarget[],
  loc: Loc,
  existing: TargetState[],
): Pick<TargetPlan, "wanted" | "loc">[] {
  const seenTypes = new Set<string>();
  return targets.flatMap((listedTarget, index) => {
    const targetLoc = [...loc, index];
    const wanted = withDefaults(work, listedTarget, targetLoc, existing);
    if (!wanted) return [];
    if (isUniqueType(listedTarget) && seenTypes.has(listedTarget.target_type)) {
      addError(work, targetLoc, "is a duplicate");
      return [];
    }
    seenTypes.add(listedTarget.target_type);
    return [{ wanted, loc: targetLoc }];
  });
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
