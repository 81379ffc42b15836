import type { App } from "../../app.ts";
import { findContract, updateContract } from "../../store/contracts/contracts.ts";
import { listTargets } from "../../store/contracts/targets.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";

/** Sets the status by the targets: MONITORING if one is enabled, else PENDING. Does not end a pause or an error. */
export async function updateContractStatus(
  app: App,
  tx: Db,
  org_id: string,
  contract_id: string,
): Promise<void> {
  const viewer = orgViewer(org_id);
  const before = await findContract(tx, viewer, contract_id);
  if (!before) return;
  await recordWatchChange(tx, before.chain, contract_id);
  // recordWatchChange waited for concurrent changes of the contract, so a pause is visible now.
  const row = await findContract(tx, viewer, contract_id);
  if (!row || row.status === "PAUSED" || row.status === "ERROR") return;
  const targets = await listTargets(tx, org_id, contract_id);
  const status = targets.some((target) => target.is_enabled) ? "MONITORING" : "PENDING";
  const support = supportStatus(targets.filter((target) => target.is_enabled));
  const isReplaceable = row.status_code === null || row.status_code === "unsupported_targets";
  await updateContract(tx, org_id, contract_id, {
    status,
    ...(isReplaceable && support),
    updated_at: app.clock.now(),
  });
}

/** Says so if a contract has targets of which none can be measured. */
export function supportStatus(targets: { status: string; status_reason: string | null }[]) {
  const [first] = targets;
  if (!first || targets.some(({ status }) => status !== "unsupported"))
    return { status_code: null, status_reason: null };
  const status_reason = `None of its targets can be measured. ${first.status_reason ?? ""}`.trim();
  return { status_code: "unsupported_targets" as const, status_reason };
}
