import type { Chain } from "../chains/chain.ts";
import { emptyAbi, readAbi } from "../chains/evm/abi.ts";
import { canonicalEvent, canonicalFunction } from "../chains/evm/signature.ts";
import { parseExpression } from "../lib/expression/expression.ts";
import { meterOf } from "../meters/index.ts";
import type { WatchRow, WatchRuleRow } from "../store/watch.ts";
import { tierLimits } from "../tiers.ts";
import { RuleCondition } from "../wire/rules.ts";
import type { Clause, Matcher } from "./match.ts";
import type { WatchedContract, WatchedRule, WatchedTarget } from "./watch-list.ts";

/** A stored contract as the engine uses it. What cannot be used is left out; its row says so where people look. */
export function compileContract(chain: Chain, row: WatchRow): WatchedContract {
  const abi = row.abi ? readAbi(row.abi) : undefined;
  const contract: WatchedContract = {
    id: row.id,
    org_id: row.org_id,
    label: row.label,
    subject: { chain, address: row.address, abi: abi?.ok ? abi.abi : emptyAbi },
    pollingSeconds: pollingSecondsOf(row),
    targets: [],
  };
  contract.targets = row.targets.flatMap((target) => compileTarget(contract, target, row.rules) ?? []);
  return contract;
}

function compileTarget(
  contract: WatchedContract,
  row: WatchRow["targets"][number],
  rules: WatchRuleRow[],
): WatchedTarget | undefined {
  const meter = meterOf(row.target_type);
  const config = meter?.config.safeParse(row.config);
  if (!meter || !config?.success) return undefined;
  const target: WatchedTarget = {
    id: row.id,
    contract,
    target_type: row.target_type,
    meter,
    config: config.data,
    rules: [],
  };
  target.rules = rules
    .filter((rule) => rule.target_id === row.id)
    .flatMap((rule) => compileRule(target, rule) ?? []);
  return target;
}

function compileRule(target: WatchedTarget, row: WatchRuleRow): WatchedRule | undefined {
  const parsed = RuleCondition.safeParse(row.condition);
  if (!parsed.success) return undefined;
  const { match, aggregation, threshold, threshold_high, ...condition } = parsed.data;
  const { created_at, condition: _, ...plain } = row;
  return {
    ...plain,
    target,
    condition: {
      ...condition,
      aggregation: aggregation ?? target.meter.aggregation,
      threshold: threshold ?? 0,
      threshold_high: threshold_high ?? Number.POSITIVE_INFINITY,
    },
    since: Math.floor(Date.parse(created_at) / 1000),
    matcher: match && compileMatcher(match),
  };
}

/** Signatures and expressions were checked when the rule was saved; one that is wrong all the same matches nothing. */
function compileMatcher(match: NonNullable<RuleCondition["match"]>): Matcher {
  return {
    status: match.status ?? "any",
    expression: compileExpression(match.expression),
    events: (match.events ?? []).flatMap((clause) => compileClause(clause, canonicalEvent)),
    functions: (match.functions ?? []).flatMap((clause) => compileClause(clause, canonicalFunction)),
  };
}

function compileClause(
  clause: { signature: string; expression?: string | undefined },
  canonical: typeof canonicalEvent,
): Clause[] {
  const item = canonical(clause.signature);
  return item.ok ? [{ item, expression: compileExpression(clause.expression) }] : [];
}

function compileExpression(source: string | undefined) {
  const parsed = source === undefined ? undefined : parseExpression(source);
  return parsed?.ok ? parsed.expression : undefined;
}

function pollingSecondsOf({ tier, polling_interval_seconds }: WatchRow): number {
  const { min, default: usual } = tierLimits[tier].pollingSeconds;
  return Math.max(min, polling_interval_seconds ?? usual);
}
