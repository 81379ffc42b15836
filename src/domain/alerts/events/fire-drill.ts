import { type App, newId } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import { AppError } from "../../../errors/app-error.ts";
import { compareSeverity } from "../../../lib/severity.ts";
import { type DrillRecipient, insertDrill, listDrillRecipients } from "../../../store/alerts/fire-drills.ts";
import { newNotice } from "../../../store/alerts/new-notice.ts";
import { findRule, type RuleRow } from "../../../store/alerts/rules.ts";
import { type ContractRow, findContract } from "../../../store/contracts/contracts.ts";
import { findTarget, type TargetRow } from "../../../store/contracts/targets.ts";
import { insertNotices, type NewEvent } from "../../../store/engine/alert-events.ts";
import type { Db } from "../../../store/open-store.ts";
import type { FireDrill } from "../../../wire/alerts/fire-drill.ts";
import { throttle } from "../../accounts/throttle.ts";
import type { OrgCaller } from "../../caller.ts";
import { inTransaction } from "../../transaction.ts";
import { viewerOf } from "../../viewer-of.ts";
import { loadOwnEvent } from "./alert-events.ts";

/**
 * Records a test event of a rule and writes its notice to the outbox, so that fan-out and delivery treat it as an alert. The
 * event is resolved from the start and is of a kind that the engine, the escalation and the statistics leave out.
 */
export async function fireDrill(app: App, caller: OrgCaller, rule_id: string): Promise<FireDrill> {
  await throttle(app, "fire_drill_org", caller.org_id);
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const { rule, contract, target } = await loadRuleOf(tx, caller, rule_id);
    const event = testEvent(app, caller, { rule, contract, target });
    await insertDrill(tx, event);
    if (rule.mode === "live") await insertNotices(tx, [newNotice(app, caller.org_id, event.id, "test")]);
    const subject = { type: "rule", id: rule_id };
    audit({ org_id: caller.org_id, action: "rule.tested", subject, details: { event_id: event.id } });
    hint({ topic: "notice.written" });
    return { event: await loadOwnEvent(tx, caller, event.id), steps: await listSteps(app, tx, rule, event) };
  });
}

type Subject = { rule: RuleRow; contract: ContractRow; target: TargetRow };

async function loadRuleOf(tx: Db, caller: OrgCaller, rule_id: string): Promise<Subject> {
  const rule = await findRule(tx, viewerOf(caller), rule_id);
  const contract = rule && (await findContract(tx, viewerOf(caller), rule.contract_id));
  const target = rule && (await findTarget(tx, caller.org_id, rule.target_id));
  if (!rule || !contract || !target) throw new AppError("not_found", "There is no such rule.");
  return { rule, contract, target };
}

function testEvent(app: App, caller: OrgCaller, { rule, contract, target }: Subject): NewEvent {
  const now = app.clock.now();
  const id = newId(app);
  const { condition } = rule;
  const author = caller.kind === "system" ? "the operator" : caller.name;
  const where = `${contract.label} on ${chainOf(contract.chain)?.name ?? contract.chain}`;
  return {
    id,
    org_id: caller.org_id,
    kind: "test",
    status: "resolved",
    observation: `test:${id}`,
    rule_id: rule.id,
    rule_version: rule.version,
    rule_name: rule.name,
    contract_id: contract.id,
    agent_id: rule.agent_id,
    chain: contract.chain,
    chain_id: contract.chain_id,
    target_id: target.id,
    target_type: target.target_type,
    severity: rule.severity,
    title: `Fire drill: ${rule.name}: ${where}`,
    message: `A fire drill of the rule ${rule.name} by ${author}. Nothing happened on ${where}.`,
    value: null,
    threshold: "threshold" in condition ? (condition.threshold ?? null) : null,
    operator: condition.operator,
    unit: target.unit,
    window_seconds: condition.aggregation === "each" ? null : (condition.window_seconds ?? null),
    held_for: null,
    fired_at: now,
    detected_at: now,
    resolved_at: now,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: null,
    block_hash: null,
    tx_hash: null,
    log_index: null,
    finality: "finalized",
    explanation: JSON.stringify({ reason: "test", started_by: author }),
    created_at: now,
  };
}

/** Lists the channels of the rule by the time after which an alert notifies them. */
async function listSteps(app: App, tx: Db, rule: RuleRow, event: NewEvent): Promise<FireDrill["steps"]> {
  const first = [rule.channel_id, ...(rule.channel_ids ?? [])].filter((id) => id !== null);
  const steps = [{ after_seconds: 0, channel_ids: first }, ...rule.escalation];
  const all = steps.flatMap(({ channel_ids }) => channel_ids);
  const channels = await listDrillRecipients(tx, event, all, app.clock.now());
  return steps.map(({ after_seconds, channel_ids }) => ({
    after_seconds,
    recipients: [...new Set(channel_ids)].flatMap((id) => {
      const channel = channels.get(id);
      if (!channel) return [];
      const { type, name } = channel;
      return [{ channel_id: id, channel_type: type, channel_name: name, outcome: outcomeOf(rule, channel) }];
    }),
  }));
}

type Outcome = FireDrill["steps"][number]["recipients"][number]["outcome"];

function outcomeOf({ mode, severity }: RuleRow, channel: DrillRecipient): Outcome {
  if (mode === "shadow") return "shadow_mode";
  if (!channel.is_enabled) return "channel_disabled";
  if (compareSeverity(severity, channel.min_severity) < 0) return "below_min_severity";
  if (channel.is_withheld) return "withheld";
  if (channel.is_silenced) return "silenced";
  return channel.status === "disabled" ? "channel_rejected" : "notified";
}
