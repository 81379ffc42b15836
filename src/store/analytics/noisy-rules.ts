import { sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { Db } from "../open-store.ts";
import { isVisible, type Viewer } from "../viewer.ts";
import type { Span } from "./activity.ts";

/** A rule with the number of its events in a span. */
export type NoisyRuleRow = {
  rule_id: string;
  name: string;
  contract_id: string;
  contract_label: string;
  target_id: string;
  target_type: string;
  severity: Severity;
  mode: "live" | "shadow";
  condition: RuleCondition;
  for_seconds: number;
  events: number;
  acknowledged: number;
};

/**
 * Lists the rules with the most events in a span, among contracts that the viewer can see. Events stay with their contract when
 * a rule moves.
 */
export async function listNoisyRules(
  db: Db,
  viewer: Viewer,
  { from, to }: Span,
  limit: number,
): Promise<NoisyRuleRow[]> {
  const { rows } = await sql<Omit<NoisyRuleRow, "condition"> & { condition: unknown }>`
    select r.id as rule_id, r.name, r.contract_id, c.label as contract_label, r.target_id, t.target_type, r.severity, r.mode,
      r.condition, r.for_seconds, n.events::int as events, n.acknowledged::int as acknowledged
    from (
      select e.rule_id, count(*) as events, count(e.acknowledged_at) as acknowledged
      from alert_events e join contracts o on o.id = e.contract_id
      where e.org_id = ${viewer.org_id} and e.kind = 'fired' and e.status <> 'retracted' and e.rule_id is not null
        and e.fired_at >= ${from} and e.fired_at < ${to} and ${isVisible(viewer, sql`o`)}
      group by e.rule_id) n
    join alert_rules r on r.id = n.rule_id and r.org_id = ${viewer.org_id}
    join contracts c on c.id = r.contract_id
    join targets t on t.id = r.target_id
    where ${isVisible(viewer, sql`c`)}
    order by n.events desc, r.id limit ${limit}`.execute(db);
  return rows.map(({ condition, ...row }) => ({ ...row, condition: RuleCondition.parse(condition) }));
}
