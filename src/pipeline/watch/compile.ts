import { LRUCache } from "lru-cache";
import type { Chain } from "../../chains/chain.ts";
import { familyOf } from "../../chains/families.ts";
import type { ChainFamily, NamedItem } from "../../chains/family.ts";
import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import { parseExpression } from "../../lib/expression/expression.ts";
import { meterOf } from "../../meters/index.ts";
import { defaultAggregation } from "../../meters/meter.ts";
import { seriesIdFor } from "../../store/engine/series-id.ts";
import type { WatchRow, WatchRuleRow } from "../../store/engine/watch.ts";
import { tierLimits } from "../../tiers.ts";
import type { OtherCondition, PlainCondition, RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { Condition, ConditionPart } from "../evaluate/rule.ts";
import { parseGroupBy } from "../measure/group-of.ts";
import type { Clause, Matcher } from "../measure/match.ts";
import { transactionAddressesOf } from "./transaction-addresses.ts";
import type { WatchedContract, WatchedRule, WatchedTarget } from "./watch-list.ts";

/** The window of a condition that does not set one, in seconds. */
const defaultWindow = 300;

// Shared by the many contracts and rules that have none: the memory of the engine grows with each of them.
const noAddresses: ReadonlySet<string> = new Set();
const noHeights: ReadonlyMap<string, number> = new Map();
const noOthers: WatchedRule["others"] = [];

/** A stored contract as the engine uses it. What cannot be used is left out; its row says so where people look. */
export async function compileContract(
  chain: Chain,
  row: WatchRow,
  offload: Offload,
): Promise<WatchedContract> {
  const contract: WatchedContract = {
    id: row.id,
    org_id: row.org_id,
    label: row.label,
    subject: await familyOf(chain).compileSubject({ ...row, chain }, offload),
    pollingSeconds: pollingSecondsOf(row),
    code: row.code ?? undefined,
    ...(row.paused_at && { pausedAt: Math.floor(Date.parse(row.paused_at) / 1000) }),
    suspended: row.suspended_addresses.length > 0 ? new Set(row.suspended_addresses) : noAddresses,
    resuming: isEmpty(row.resuming_addresses) ? noHeights : new Map(Object.entries(row.resuming_addresses)),
    targets: [],
  };
  contract.targets = row.targets.flatMap((target) => compileTarget(contract, target) ?? []);
  // After the targets, because a rule may have conditions on several.
  for (const target of contract.targets) addRules(target, row.rules);
  if (contract.suspended.size > 0) removeSuspended(contract);
  return contract;
}

/** True if a target would miss transactions of suspended addresses. */
export function missesTransactions(target: WatchedTarget, suspended: ReadonlySet<string>): boolean {
  return transactionAddressesOf(target).some((transactionAddress) => suspended.has(transactionAddress));
}

/** Leaves out the targets that would miss transactions. The state of others can be read as before. */
function removeSuspended(contract: WatchedContract): void {
  const isComplete = (target: WatchedTarget) =>
    target.meter.pollsAlone || !missesTransactions(target, contract.suspended);
  contract.targets = contract.targets.filter(isComplete);
  for (const target of contract.targets)
    target.rules = target.rules.filter(({ others }) => others.every((other) => isComplete(other.target)));
}

function addRules(target: WatchedTarget, rows: readonly WatchRuleRow[]): void {
  const rulesOfTarget = rows.filter(({ target_id }) => target_id === target.id);
  target.rules = rulesOfTarget.flatMap((row) => compileRule(target, row) ?? []);
  // Also of its own target, of whose readings the rule may count only some.
  for (const rule of target.rules)
    for (const other of new Set(rule.others.map((condition) => condition.target))) other.observers.push(rule);
}

function compileTarget(
  contract: WatchedContract,
  row: WatchRow["targets"][number],
): WatchedTarget | undefined {
  const meter = meterOf(row.target_type);
  const config = meter?.config.safeParse(row.config);
  const { kind } = contract.subject.chain;
  if (!meter?.families.includes(kind) || !config?.success || meter.configProblem?.(config.data, kind))
    return undefined;
  return {
    id: row.id,
    generation: row.generation,
    series_id: seriesIdFor(row.id, row.generation),
    contract,
    target_type: row.target_type,
    meter,
    config: config.data,
    rules: [],
    observers: [],
  };
}

/** A rule as the engine uses it; undefined when it cannot be. */
export function compileRule(target: WatchedTarget, row: WatchRuleRow): WatchedRule | undefined {
  if (!row.condition) return undefined;
  const { match, group_by: groupText, all, any, ...condition } = row.condition;
  const { created_at, condition: _condition, target_id: _target, ...plain } = row;
  const matcher = match && compileMatcher(match, familyOf(target.contract.subject.chain));
  const group_by = groupText === undefined ? undefined : parseGroupBy(groupText);
  const since = Math.floor(Date.parse(created_at) / 1000);
  const otherConditions = compileOthers(target.contract, all ?? any ?? [], since);
  if ((match && !matcher) || (groupText !== undefined && !group_by) || !otherConditions) return undefined;
  const { isEach, part } = compilePart(target, condition, { matcher, since });
  return {
    ...plain,
    ...part,
    // With several conditions, missing data decides nothing.
    no_data: otherConditions.length > 0 ? "ignore" : plain.no_data,
    key: plain.id,
    target,
    others: otherConditions,
    combines: any ? "any" : "all",
    isEach,
    group_by,
    group: undefined,
    matcher,
  };
}

/** Undefined if a target is missing, for example because it was disabled: the rule cannot be evaluated without it. */
function compileOthers(
  contract: WatchedContract,
  conditions: readonly OtherCondition[],
  since: number,
): WatchedRule["others"] | undefined {
  if (conditions.length === 0) return noOthers;
  const compiled = conditions.flatMap(({ target_id, ...condition }) => {
    const target = contract.targets.find(({ id }) => id === target_id);
    if (!target) return [];
    const least = target.meter.reads ? 2 * contract.pollingSeconds : 0;
    const defaults = {
      aggregation: target.meter.aggregation,
      window_seconds: Math.max(defaultWindow, least),
    };
    const compared = { ...defaults, ...condition };
    return [{ target, part: compilePart(target, compared, { matcher: undefined, since }).part }];
  });
  return compiled.length === conditions.length ? compiled : undefined;
}

function compilePart(
  { meter, config, contract }: WatchedTarget,
  { threshold, threshold_high, ...condition }: PlainCondition,
  { matcher, since }: { matcher: Matcher | undefined; since: number },
): { isEach: boolean; part: ConditionPart } {
  const { checkSeconds = 0 } = meter;
  // What a rule matches, or what events report, is only ever what happened.
  const isPolled = meter.reads !== undefined && !matcher && checkSeconds === 0;
  const isRead = meter.reads !== undefined && !matcher;
  const chosen = condition.aggregation ?? defaultAggregation(meter, { ...condition, threshold });
  const isEach = chosen === "each";
  // The value of a rule without a window is that of the newest reading.
  const aggregation = isEach ? "last" : chosen;
  const isOwnSense = !isEach && aggregation === "last" && meter.summarise !== undefined;
  // With less than it needs, a meter would never have anything to say.
  const least = isOwnSense ? (meter.windowSeconds?.(config) ?? 0) : 0;
  const part: ConditionPart = {
    condition: shareCondition({
      operator: condition.operator,
      aggregation,
      window_seconds: Math.max(condition.window_seconds ?? defaultWindow, least),
      threshold: threshold ?? null,
      threshold_high: threshold_high ?? Number.POSITIVE_INFINITY,
    }),
    no_data: "ignore",
    isPolled,
    ...(isRead && { silenceSeconds: 2 * Math.max(contract.pollingSeconds, checkSeconds) }),
    isScore: isOwnSense && meter.baseline !== undefined,
    since,
  };
  return { isEach, part };
}

const sharedConditions = new LRUCache<string, Condition>({ max: 10_000 });

/** Returns one object for equal conditions: those of templates and policies are on thousands of contracts. */
function shareCondition(condition: Condition): Condition {
  const { operator, aggregation, window_seconds, threshold, threshold_high } = condition;
  const key = `${operator} ${aggregation} ${window_seconds} ${threshold} ${threshold_high}`;
  const shared = sharedConditions.get(key);
  if (!shared) sharedConditions.set(key, condition);
  return shared ?? condition;
}

/** Signatures and expressions were checked when the rule was saved; a rule with a wrong one all the same is left out. */
function compileMatcher(
  match: NonNullable<RuleCondition["match"]>,
  { compileEvent, compileFunction, transactionFields }: ChainFamily,
): Matcher | undefined {
  const expression = compileExpression(match.expression);
  const events = compileClauses(match.events ?? [], compileEvent);
  const functions = compileClauses(match.functions ?? [], compileFunction);
  if (expression === "wrong" || !events || !functions) return undefined;
  return { status: match.status ?? "any", expression, events, functions, transactionFields };
}

function compileClauses<Found>(
  clauses: { signature: string; expression?: string | undefined }[],
  compileItem: (signature: string) => NamedItem<Found> | undefined,
): Clause<Found>[] | undefined {
  const compiled = clauses.flatMap((clause) => {
    const item = compileItem(clause.signature);
    const expression = compileExpression(clause.expression);
    return item && expression !== "wrong" ? [{ item, expression }] : [];
  });
  return compiled.length === clauses.length ? compiled : undefined;
}

function compileExpression(source: string | undefined) {
  if (source === undefined) return undefined;
  const parsed = parseExpression(source);
  return parsed.ok ? parsed.expression : "wrong";
}

/** Returns the seconds between two readings of the state of a contract. */
export function pollingSecondsOf({
  tier,
  polling_interval_seconds,
}: Pick<WatchRow, "tier" | "polling_interval_seconds">): number {
  const { min, default: usual } = tierLimits[tier].pollingSeconds;
  return Math.max(min, polling_interval_seconds ?? usual);
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
