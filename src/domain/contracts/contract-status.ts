import type { App } from "../../app.ts";
import { findContract, updateContract } from "../../store/contracts/contracts.ts";
import { listTargets } from "../../store/contracts/targets.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";

/** A contract is monitored while it has a target that is switched on. A pause or an error is not ended by that. */
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
  // Only now are others done with it: a pause that was on its way has arrived.
  const row = await findContract(tx, viewer, contract_id);
  if (!row || row.status === "PAUSED" || row.status === "ERROR") return;
  const targets = await listTargets(tx, org_id, contract_id);
  const status = targets.some((target) => target.is_enabled) ? "MONITORING" : "PENDING";
  await updateContract(tx, org_id, contract_id, { status, updated_at: app.clock.now() });
}
