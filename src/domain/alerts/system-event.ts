import { type App, newId } from "../../app.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";

/** A problem that the service detected without a rule. */
type Finding = Pick<
  NewEvent,
  "org_id" | "kind" | "chain" | "chain_id" | "target_type" | "title" | "message" | "value" | "unit"
> & {
  /** The identity of the problem: it has at most one open event at a time. */
  subject: string;
  contract_id?: string;
  target_id?: string;
  /** Critical unless given. */
  severity?: NewEvent["severity"];
  explanation: Record<string, unknown>;
};

/** Returns the subject of a system event. */
export function subjectOf({ observation }: Pick<NewEvent, "observation">): string {
  return observation.slice(0, observation.lastIndexOf(":"));
}

/** Creates a system event, which is final immediately. */
export function systemEvent(app: App, { subject, ...finding }: Finding): NewEvent {
  const now = app.clock.now();
  return {
    id: newId(app),
    status: "firing",
    observation: `system:${subject}:${now.getTime()}`,
    rule_id: null,
    rule_version: 0,
    rule_name: "Tocsin itself",
    contract_id: null,
    target_id: null,
    agent_id: null,
    severity: "critical",
    threshold: null,
    operator: "absent",
    window_seconds: null,
    held_for: null,
    fired_at: now,
    detected_at: now,
    resolved_at: null,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: null,
    block_hash: null,
    tx_hash: null,
    log_index: null,
    finality: "finalized",
    created_at: now,
    ...finding,
    explanation: JSON.stringify(finding.explanation),
  };
}
