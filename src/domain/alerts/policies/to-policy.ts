import type { PolicyRow } from "../../../store/alerts/policies.ts";
import { countProgress, listFailures } from "../../../store/alerts/policy-contracts.ts";
import type { Db } from "../../../store/open-store.ts";
import type { Viewer } from "../../../store/viewer.ts";
import type { Policy } from "../../../wire/alerts/policies.ts";

/** The most failed contracts that a policy lists. */
const maxFailures = 20;

/** Converts rows to the wire format, with the progress over the contracts that the viewer sees. */
export async function toPolicies(db: Db, viewer: Viewer, rows: PolicyRow[]): Promise<Policy[]> {
  const ids = rows.map(({ id }) => id);
  const counts = Map.groupBy(await countProgress(db, viewer, ids), ({ policy_id }) => policy_id);
  const failures = Map.groupBy(
    await listFailures(db, viewer, ids, maxFailures),
    ({ policy_id }) => policy_id,
  );
  return rows.map((row) => {
    const inState = (...states: string[]) =>
      (counts.get(row.id) ?? [])
        .filter(({ state }) => states.includes(state))
        .reduce((sum, { total }) => sum + Number(total), 0);
    return toPolicy(row, {
      matched: inState("pending", "applied", "failed"),
      applied: inState("applied"),
      failed: inState("failed"),
      pending: inState("pending", "leaving"),
      failures: (failures.get(row.id) ?? []).map(({ policy_id: _, ...failure }) => failure),
    });
  });
}

function toPolicy(row: PolicyRow, progress: Policy["progress"]): Policy {
  return {
    id: row.id,
    name: row.name,
    selector: row.selector,
    target: row.target,
    rule: row.rule,
    is_enabled: row.is_enabled,
    ...statusOf(row, progress),
    progress,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function statusOf(
  { is_enabled }: PolicyRow,
  { matched, failed, pending, failures }: Policy["progress"],
): Pick<Policy, "status" | "status_reason"> {
  const status_reason = `${failed} of ${matched} contracts do not have the rule. The first reason: ${failures[0]?.reason ?? ""}`;
  if (!is_enabled) return { status: "disabled", status_reason: null };
  if (pending > 0) return { status: "applying", status_reason: failed > 0 ? status_reason : null };
  return failed > 0 ? { status: "incomplete", status_reason } : { status: "applied", status_reason: null };
}
