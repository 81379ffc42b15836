import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import {
  countMatchingRules,
  countRules,
  findRule,
  insertRule,
  listRules as listRows,
  type RuleRow,
} from "../../store/alerts/rules.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Rule, RuleCreate, RulesQuery, RuleUpdate } from "../../wire/alerts/rules.ts";
import type { Page } from "../../wire/paging.ts";
import type { OrgCaller } from "../caller.ts";
import { updateSavedNames } from "../contracts/name-status.ts";
import { byCreation, pageRequest, toPage } from "../page.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import { requireUnmanaged } from "./policies/managed.ts";
import { type LoadContract, requireValidTarget } from "./rule-input.ts";
import { ruleRow, toRule } from "./rule-row.ts";
import { endRule, writeRule } from "./write-rule.ts";

export async function listRules(app: App, caller: OrgCaller, query: RulesQuery): Promise<Page<Rule>> {
  const viewer = viewerOf(caller);
  const rows = await listRows(app.db, viewer, query, pageRequest(query));
  const page = toPage(rows, query.limit, byCreation);
  const isPart = query.limit !== undefined || query.cursor !== undefined;
  const total = isPart ? await countMatchingRules(app.db, viewer, query) : rows.length;
  return { ...page, items: await mapInSlices(page.items, toRule), total };
}

export async function getRule(app: App, caller: OrgCaller, rule_id: string): Promise<Rule> {
  return toRule(await loadRule(app.db, caller, rule_id));
}

/** Creates a rule on a target that the caller may change; it is evaluated from the next block. */
export async function createRule(app: App, caller: OrgCaller, input: RuleCreate): Promise<Rule> {
  return inTransaction(app, caller, async (tx, effects) => {
    const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
    if (remaining === 0) throw quotaError;
    const { target, checked } = await requireValidTarget({ app, tx, caller }, input.target_id, input);
    const id = await addRule({ app, tx, caller, effects }, target, checked);
    return toRule(await loadRule(tx, caller, id));
  });
}

/** Inserts a rule on a checked target. The transaction must hold the lock of the org, with quota left. */
export async function addRule(
  { app, tx, caller, effects: { audit, hint } }: WriteContext,
  target: { contract_id: string; chain: string; name: string },
  { policy_id, ...input }: RuleCreate & { policy_id?: string },
): Promise<string> {
  const row = { ...ruleRow(app, caller, target, input), ...(policy_id && { policy_id }) };
  const { id } = row;
  await insertRule(tx, row);
  await recordWatchChange(tx, target.chain, target.contract_id);
  await updateSavedNames(app, tx, { id: target.contract_id, org_id: caller.org_id }, { rules: [input] });
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
  update: RuleUpdate,
): Promise<Rule> {
  return inTransaction(app, caller, async (tx, effects) => {
    await changeRuleIn({ app, tx, caller, effects }, rule_id, update);
    return toRule(await loadRule(tx, caller, rule_id));
  });
}

/** Updates a rule in an open transaction. */
export async function changeRuleIn(
  context: WriteContext,
  rule_id: string,
  update: RuleUpdate,
  load?: LoadContract,
): Promise<void> {
  const before = await loadRule(context.tx, context.caller, rule_id);
  await requireUnmanaged(context.tx, before, "rule");
  await writeRule(context, before, update, load);
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
    async (tx, effects) => {
      const row = await loadRule(tx, caller, rule_id);
      await requireUnmanaged(tx, row, "rule");
      if (!(await endRule({ app, tx, caller, effects }, row))) throw noSuchRule();
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

/** Returns how many more rules the org may have. Locks the org. */
export async function remainingRuleQuota(
  tx: Db,
  org_id: string,
): Promise<{ remaining: number; quotaError: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { rules } = tierLimits[tier];
  // Counting the rules of a large org takes a while.
  const used = Number.isFinite(rules) ? await countRules(tx, org_id) : 0;
  const remaining = Math.max(0, rules - used);
  const message = `The ${tierName(tier)} tier allows ${rules} alert rules.`;
  return { remaining, quotaError: new AppError("quota_exceeded", message) };
}
