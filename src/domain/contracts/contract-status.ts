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
  // recordWatchChange waited for concurrent changes, so a pause is visible now.
  const row = await findContract(tx, viewer, contract_id);
  if (!row || row.status === "PAUSED" || row.status === "ERROR") return;
  const targets = await listTargets(tx, org_id, contract_id);
  const status = targets.some((target) => target.is_enabled) ? "MONITORING" : "PENDING";
  await updateContract(tx, org_id, contract_id, { status, updated_at: app.clock.now() });
}
