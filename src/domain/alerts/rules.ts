import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules as listRows,
  type RuleRow,
  updateRule,
} from "../../store/alerts/rules.ts";
import { deleteStatesOf } from "../../store/engine/rule-states.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Rule, RuleCreate, RuleUpdate } from "../../wire/alerts/rules.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import { resolvingAlerts } from "./end-alerts.ts";
import { requireValidTarget } from "./rule-input.ts";
import { columnsOf, ruleRow, toRule } from "./rule-row.ts";

export async function listRules(
  app: App,
  caller: OrgCaller,
  filter: { contract_id?: string | undefined; agent_id?: string | undefined },
): Promise<Rule[]> {
  const rows = await listRows(app.db, viewerOf(caller), filter);
  return rows.map(toRule);
}

export async function getRule(app: App, caller: OrgCaller, rule_id: string): Promise<Rule> {
  return toRule(await loadRule(app.db, caller, rule_id));
}

/** Creates a rule on a target that the caller may change; it is evaluated from the next block. */
export async function createRule(app: App, caller: OrgCaller, input: RuleCreate): Promise<Rule> {
  return inTransaction(app, caller, async (tx, effects) => {
    const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
    if (remaining === 0) throw quotaError;
    const { target, checked } = await requireValidTarget(tx, caller, input.target_id, input);
    const id = await addRule({ app, tx, caller, effects }, target, checked);
    return toRule(await loadRule(tx, caller, id));
  });
}

/** Inserts a rule on a checked target. The transaction must hold the lock of the org, with quota left. */
export async function addRule(
  { app, tx, caller, effects: { audit, hint } }: WriteContext,
  target: { contract_id: string; chain: string; name: string },
  input: RuleCreate,
): Promise<string> {
  const row = ruleRow(app, caller, target, input);
  const { id } = row;
  await insertRule(tx, row);
  await recordWatchChange(tx, target.chain, target.contract_id);
  const details = { contract_id: target.contract_id, target_id: input.target_id };
  audit({ org_id: caller.org_id, action: "rule.created", subject: { type: "rule", id }, details });
  hint({ topic: "watch.changed" });
  return id;
}

/** Updates a rule. A change of its meaning starts a new version, which is part of the identity of its events. */
export async function changeRule(
  app: App,
  caller: OrgCaller,
  rule_id: string,
  given: RuleUpdate,
  joined?: OpenTransaction,
): Promise<Rule> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      const before = await loadRule(tx, caller, rule_id);
      const on = given.target_id ?? before.target_id;
      const { target, checked: input } = await requireValidTarget(tx, caller, on, given, before);
      // A disabled rule cannot continue from its old state, so disabling starts a new version too.
      const startsNewVersion =
        target.id !== before.target_id || isConditionChanged(before, input) || input.is_enabled === false;
      const change = () =>
        updateRule(tx, caller.org_id, rule_id, {
          ...columnsOf(input),
          ...(input.name !== undefined && { name: input.name }),
          ...(input.severity !== undefined && { severity: input.severity }),
          ...(input.condition !== undefined && { condition: JSON.stringify(input.condition) }),
          ...(input.target_id !== undefined && {
            target_id: input.target_id,
            contract_id: target.contract_id,
          }),
          startsNewVersion,
          updated_at: app.clock.now(),
        });
      // Events of the previous version are resolved.
      const ending = { org_id: caller.org_id, of: { rule_id } };
      await (startsNewVersion ? resolvingAlerts(app, tx, { hint }, ending, change) : change());
      if (startsNewVersion) await deleteStatesOf(tx, rule_id);
      await recordWatchChange(tx, before.chain, before.contract_id);
      if (target.contract_id !== before.contract_id)
        await recordWatchChange(tx, target.chain, target.contract_id);
      const details = { fields: Object.keys(input) };
      audit({
        org_id: caller.org_id,
        action: "rule.updated",
        subject: { type: "rule", id: rule_id },
        details,
      });
      hint({ topic: "watch.changed" });
      return toRule(await loadRule(tx, caller, rule_id));
    },
    joined,
  );
}

export async function removeRule(
  app: App,
  caller: OrgCaller,
  rule_id: string,
  joined?: OpenTransaction,
): Promise<{ ok: true }> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      const row = await loadRule(tx, caller, rule_id);
      const ending = { org_id: caller.org_id, of: { rule_id } };
      const isDeleted = await resolvingAlerts(app, tx, { hint }, ending, () =>
        deleteRule(tx, caller.org_id, rule_id),
      );
      if (!isDeleted) throw noSuchRule();
      await recordWatchChange(tx, row.chain, row.contract_id);
      const details = { name: row.name };
      audit({
        org_id: caller.org_id,
        action: "rule.deleted",
        subject: { type: "rule", id: rule_id },
        details,
      });
      hint({ topic: "watch.changed" });
      return { ok: true };
    },
    joined,
  );
}

async function loadRule(db: Db, caller: OrgCaller, rule_id: string): Promise<RuleRow> {
  const row = await findRule(db, viewerOf(caller), rule_id);
  if (!row) throw noSuchRule();
  return row;
}

function noSuchRule(): AppError {
  return new AppError("not_found", "There is no such rule.");
}

/** An update with an equal condition is not a change. */
function isConditionChanged(before: RuleRow, { condition }: RuleUpdate): boolean {
  return condition !== undefined && !isDeepStrictEqual(condition, before.condition);
}

/** Returns how many more rules the org may have. Locks the org. */
export async function remainingRuleQuota(
  tx: Db,
  org_id: string,
): Promise<{ remaining: number; quotaError: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { rules } = tierLimits[tier];
  const remaining = Math.max(0, rules - (await countRules(tx, org_id)));
  const message = `The ${tierName(tier)} tier allows ${rules} alert rules.`;
  return { remaining, quotaError: new AppError("quota_exceeded", message) };
}
