import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import type { UnreadTarget } from "../../store/contracts/unread-transactions.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import { systemEvent } from "./system-event.ts";

/** A transaction that could not be read completely is an open alert, and in the status of its target, for this long. */
export const unreadSeconds = 86_400;

/** Says that something may have happened that a target did not see. Further transactions belong to the same open event. */
export function unreadEvent(app: App, target: UnreadTarget): NewEvent {
  const where = `${target.label} on ${chainOf(target.chain)?.name ?? target.chain}`;
  return systemEvent(app, {
    org_id: target.org_id,
    kind: "error",
    severity: "warning",
    chain: target.chain,
    chain_id: target.chain_id,
    contract_id: target.contract_id,
    target_id: target.id,
    target_type: target.target_type,
    subject: `unread:${target.id}`,
    title: `${target.name} of ${where} may have missed something`,
    message: target.problem,
    value: null,
    unit: null,
    explanation: { reason: "transaction_unread", problem: target.problem },
  });
}
